import { SolverError } from './requestSolver.ts'
import type { Solver } from './solverList.ts'

/** Responses of several solvers to the same request. */
export type SolverResponses<T> = { responses: T[]; failures: { solver: string; error: SolverError }[] }

/**
 * Calls all solvers concurrently. A failing solver does not affect the others: its `SolverError` is listed.
 * @param isEnough whether the responses received so far suffice; by default all solvers are awaited
 */
export const collectResponses = <T>(
  solvers: readonly Solver[],
  request: (solver: Solver) => Promise<T>,
  isEnough: (responses: readonly T[]) => boolean = () => false,
): Promise<SolverResponses<T>> =>
  new Promise((resolve, reject) => {
    const collected: SolverResponses<T> = { responses: [], failures: [] }
    const finishWhenDone = () => {
      const { responses, failures } = collected
      if (responses.length + failures.length === solvers.length || isEnough(responses)) {
        resolve({ responses: [...responses], failures: [...failures] })
      }
    }
    finishWhenDone()
    for (const solver of solvers) {
      request(solver).then(
        (response) => {
          collected.responses.push(response)
          finishWhenDone()
        },
        (error) => {
          if (!(error instanceof SolverError)) return reject(error)
          collected.failures.push({ solver: solver.name, error })
          finishWhenDone()
        },
      )
    }
  })

/** Error kinds of a solver that searched and has nothing to offer. */
const refusals = new Set([
  'QuotingFailed',
  'QuoteSameTokens',
  'InsufficientLiquidity',
  'TokenTemporarilySuspended',
  'TradingOutsideAllowedWindow',
  'CustomSolverError',
])

/** Whether a solver declined, as opposed to being slow, unreachable or broken. */
export const isRefusal = (error: SolverError): boolean => refusals.has(error.kind)

/** Whether every solver responded, and declined: a solver that did not respond might have had an offer. */
export const isRefusedByAll = (failures: readonly SolverResponses<never>['failures'][number][]): boolean =>
  failures.length > 0 && failures.every(({ error }) => isRefusal(error))
