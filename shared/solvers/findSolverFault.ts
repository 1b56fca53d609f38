import { z } from 'zod'
import { readBoundedJson } from '../connections/readBoundedJson.ts'
import { withDeadline } from '../withDeadline.ts'
import { connectSolvers, type Solver, type SolverEntry } from './solverList.ts'

/** below the limit of two seconds per dependency of `/readyz` */
const timeoutMs = 1_500
const maxResponseBytes = 16 * 1024
const maxLength = 300

const responseSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  reasons: z.record(z.string(), z.string()).default({}),
})

/** The solvers that are Workers of this deployment; drivers behind a URL do not report their state. */
export const connectOwnSolvers = (entries: SolverEntry[], env: Record<string, unknown>): Solver[] =>
  connectSolvers(
    entries.filter(({ binding }) => binding !== undefined),
    env,
  )

/** @returns why a solver of this deployment cannot settle, in one public line; undefined when it can */
export const findSolverFault = async (solver: Solver): Promise<string | undefined> => {
  try {
    return await withDeadline(requestFault(solver), timeoutMs)
  } catch {
    return 'its driver does not respond'
  }
}

const requestFault = async (solver: Solver): Promise<string | undefined> => {
  const response = await solver.fetch(
    new Request(`${solver.baseUrl}/readyz`, { signal: AbortSignal.timeout(timeoutMs) }),
  )
  const body = await readBoundedJson(response, maxResponseBytes)
  if (response.ok) return undefined
  const { dependencies, reasons } = responseSchema.parse(body)
  const faults = Object.entries(dependencies).flatMap(([name, state]) =>
    state === 'ok' ? [] : [`${name}: ${reasons[name] ?? 'unavailable'}`],
  )
  return (faults.join('. ') || 'its driver is not ready').slice(0, maxLength)
}
