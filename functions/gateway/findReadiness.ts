import { type WorkerFetch, type WorkerGroup, type Workers, workerGroups } from './connectWorkers.ts'

/** What a Worker said about itself, in its own words when it is not ready. */
export type WorkerState =
  | { status: 'ok' }
  | { status: 'missing' | 'silent' }
  | { status: 'unavailable'; answer: unknown }

export type Readiness = { status: 'ok' | 'unavailable'; workers: Record<string, WorkerState> }

/**
 * Asks every Worker of every deployed network for its `/readyz`, all at once.
 * @param timeoutMs after which a Worker counts as silent
 */
export const findReadiness = async (workers: Workers, timeoutMs: number): Promise<Readiness> => {
  const states = await Promise.all(
    Object.entries(workers).flatMap(([network, groups]) =>
      workerGroups.map(async (group: WorkerGroup) => {
        const name = `${group}-${network}`
        return [name, await askWorker(name, groups[group], timeoutMs)] as const
      }),
    ),
  )
  const ready = states.length > 0 && states.every(([, state]) => state.status === 'ok')
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
