import type { WorkerConfig } from '../workers/workerConfig.ts'

/**
 * Orders Workers so that each comes after those that it is bound to; bindings to other Workers do not count.
 * @throws Error naming Workers with circular bindings
 */
export const orderWorkers = <Worker extends { config: WorkerConfig }>(workers: readonly Worker[]): Worker[] => {
  const ordered: Worker[] = []
  let rest = [...workers]
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ config }) => config.name))
    const next = rest.filter(({ config }) =>
      (config.services ?? []).every(({ service }) => service === config.name || !waiting.has(service)),
    )
    if (next.length === 0) throw new Error(`circular bindings: ${[...waiting].join(', ')}`)
    ordered.push(...next)
    rest = rest.filter((worker) => !next.includes(worker))
  }
  return ordered
}
