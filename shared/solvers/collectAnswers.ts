import { SolverError } from './askSolver.ts'
import type { Solver } from './solverList.ts'

/** Responses of several solvers to the same request. */
export type Answers<T> = { answers: T[]; failures: { solver: string; error: SolverError }[] }

/**
 * Calls all solvers concurrently. A failing solver does not affect the others: its `SolverError` is listed.
 * @param isEnough whether the responses received so far suffice; by default all solvers are awaited
 */
export const collectAnswers = <T>(
  solvers: readonly Solver[],
  ask: (solver: Solver) => Promise<T>,
  isEnough: (answers: readonly T[]) => boolean = () => false,
): Promise<Answers<T>> =>
  new Promise((resolve, reject) => {
    const collected: Answers<T> = { answers: [], failures: [] }
    const finishWhenDone = () => {
      const { answers, failures } = collected
      if (answers.length + failures.length === solvers.length || isEnough(answers)) {
        resolve({ answers: [...answers], failures: [...failures] })
      }
    }
    finishWhenDone()
    for (const solver of solvers) {
      ask(solver).then(
        (answer) => {
          collected.answers.push(answer)
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
