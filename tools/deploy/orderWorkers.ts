import type { WorkerConfig } from '../workers/workerConfig.ts'

/**
 * Workers in an order in which each comes after those that it is bound to; bindings to Workers that are not among them do not
 * count.
 * @throws Error naming Workers that are bound to each other in a circle, none of which could be the first one
 */
export const orderWorkers = <Worker extends { config: WorkerConfig }>(workers: readonly Worker[]): Worker[] => {
  const ordered: Worker[] = []
  let rest = [...workers]
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ config }) => config.name))
    const next = rest.filter(({ config }) =>
      (config.services ?? []).every(({ service }) => service === config.name || !waiting.has(service)),
    )
    if (next.length === 0) throw new Error(`bound to each other in a circle: ${[...waiting].join(', ')}`)
    ordered.push(...next)
    rest = rest.filter((worker) => !next.includes(worker))
  }
  return ordered
}
