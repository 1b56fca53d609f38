import type { SharedWorkers } from './connectSharedWorkers.ts'
import { type WorkerFetch, type WorkerGroup, type Workers, workerGroups } from './connectWorkers.ts'

/** What a Worker said about itself, in its own words when it is not ready. */
export type WorkerState =
  | { status: 'ok' }
  | { status: 'missing' | 'silent' }
  | { status: 'unavailable'; answer: unknown }

export type Readiness = { status: 'ok' | 'unavailable'; workers: Record<string, WorkerState> }

/** Everything that is deployed. */
export type DeployedWorkers = { workers: Workers; sharedWorkers: SharedWorkers }

/**
 * Asks every Worker of every deployed network for its `/readyz`, and those that run once, all at once.
 * @param timeoutMs after which a Worker counts as silent
 */
export const findReadiness = async (
  { workers, sharedWorkers }: DeployedWorkers,
  timeoutMs: number,
): Promise<Readiness> => {
  const ofNetworks = Object.entries(workers).flatMap(([network, groups]) =>
    workerGroups.map((group: WorkerGroup) => [`${group}-${network}`, groups[group]] as const),
  )
  const states = await Promise.all(
    [...ofNetworks, ...Object.entries(sharedWorkers)].map(
      async ([name, worker]) => [name, await askWorker(name, worker, timeoutMs)] as const,
    ),
  )
  const ready = ofNetworks.length > 0 && states.every(([, state]) => state.status === 'ok')
  return { status: ready ? 'ok' : 'unavailable', workers: Object.fromEntries(states) }
}

const askWorker = async (name: string, worker: WorkerFetch | undefined, timeoutMs: number): Promise<WorkerState> => {
  if (!worker) return { status: 'missing' }
  const signal = AbortSignal.timeout(timeoutMs)
  const silence = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  const ask = async (): Promise<WorkerState> => {
    const response = await worker(new Request(`http://${name}/readyz`, { signal }))
    const answer: unknown = await response.json()
    return response.ok ? { status: 'ok' } : { status: 'unavailable', answer }
  }
  try {
    return await Promise.race([ask(), silence])
  } catch {
    return { status: 'silent' }
  }
}
