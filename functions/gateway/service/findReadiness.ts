import { z } from 'zod'
import { withDeadline } from '#shared/withDeadline.ts'
import type { SharedWorkers } from '../routing/connectSharedWorkers.ts'
import {
  type NetworkWorkerGroup,
  networkWorkerGroups,
  type WorkerFetch,
  type Workers,
} from '../routing/connectWorkers.ts'

/** States of a Worker's dependencies with known reasons, or the faults of its settings, one line each. */
export type WorkerReport = {
  dependencies?: Record<string, 'ok' | 'unavailable'>
  reasons?: Record<string, string>
  settings?: string[]
}

const responseSchema = z.object({
  dependencies: z.record(z.string(), z.enum(['ok', 'unavailable'])).optional(),
  reasons: z.record(z.string(), z.string()).optional(),
  data: z.object({ settings: z.array(z.string()) }).optional(),
  pauses: z.array(z.string()).optional(),
})

/** Readiness of one Worker. */
export type WorkerState =
  | { status: 'ok'; pauses?: string[] }
  | { status: 'missing' | 'silent' }
  | { status: 'unavailable'; answer: WorkerReport }

export type Readiness = { status: 'ok' | 'unavailable'; workers: Record<string, WorkerState> }

/** All deployed Workers. */
export type DeployedWorkers = { workers: Workers; sharedWorkers: SharedWorkers }

/**
 * Requests `/readyz` of every deployed Worker concurrently.
 * @param timeoutMs a Worker that takes longer is `silent`
 */
export const findReadiness = async (
  { workers, sharedWorkers }: DeployedWorkers,
  timeoutMs: number,
): Promise<Readiness> => {
  const ofNetworks = Object.entries(workers).flatMap(([network, groups]) =>
    networkWorkerGroups.map((group: NetworkWorkerGroup) => [`${group}-${network}`, groups[group]] as const),
  )
  const states = await Promise.all(
    [...ofNetworks, ...Object.entries(sharedWorkers)].map(
      async ([name, worker]) => [name, await findWorkerState(name, worker, timeoutMs)] as const,
    ),
  )
  const ready = ofNetworks.length > 0 && states.every(([, state]) => state.status === 'ok')
  return { status: ready ? 'ok' : 'unavailable', workers: Object.fromEntries(states) }
}

const findWorkerState = async (
  name: string,
  worker: WorkerFetch | undefined,
  timeoutMs: number,
): Promise<WorkerState> => {
  if (!worker) return { status: 'missing' }
  const signal = AbortSignal.timeout(timeoutMs)
  const requestState = async (): Promise<WorkerState> => {
    const response = await worker(new Request(`http://${name}/readyz`, { signal }))
    const body = responseSchema.safeParse(await response.json())
    const { dependencies, reasons, data, pauses } = response.ok ? (body.data ?? {}) : responseSchema.parse(body.data)
    return response.ok
      ? { status: 'ok', pauses }
      : { status: 'unavailable', answer: { dependencies, reasons, ...data } }
  }
  try {
    return await withDeadline(requestState(), timeoutMs)
  } catch {
    return { status: 'silent' }
  }
}
