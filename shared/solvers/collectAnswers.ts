import { SolverError } from './askSolver.ts'
import type { Solver } from './solverList.ts'

/** Responses of several solvers to the same request. */
export type Answers<T> = { answers: T[]; failures: { solver: string; error: SolverError }[] }

/**
 * Calls all solvers at once. A solver that fails costs only itself: its `SolverError` is listed, the others count.
 * @param isEnough ends the wait with the answers that are there; by default every solver is waited for
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

/** Kinds with which a solver says that it looked and has nothing to offer. */
const refusals = new Set([
  'QuotingFailed',
  'QuoteSameTokens',
  'InsufficientLiquidity',
  'TokenTemporarilySuspended',
  'TradingOutsideAllowedWindow',
  'CustomSolverError',
])

/** Whether a solver looked and said no, as opposed to being late, unreachable or broken. */
export const isRefusal = (error: SolverError): boolean => refusals.has(error.kind)
