import { ApiError } from '#shared/http/errors.ts'
import type { SolverError } from '#shared/solvers/askSolver.ts'
import { isRefusal } from '#shared/solvers/collectAnswers.ts'

/** Outcomes a client may see; any other word comes from the solver itself and could be anything. */
const publicKinds = new Set([
  'Timeout',
  'Unreachable',
  'Garbage',
  'QuotingFailed',
  'QuoteSameTokens',
  'SolverFailed',
  'DeadlineExceeded',
  'NoValidOrders',
  'TradingOutsideAllowedWindow',
  'TokenTemporarilySuspended',
  'InsufficientLiquidity',
  'CustomSolverError',
])

/**
 * `NoLiquidity` with what came of each solver. `retryable` tells an outage from a pair that nobody can trade: it is
 * false only when every solver looked and had no route.
 */
export const buildNoLiquidity = (failures: { solver: string; error: SolverError }[]): ApiError => {
  const retryable = failures.length === 0 || failures.some(({ error }) => !isRefusal(error))
  return new ApiError('NoLiquidity', {
    ...(retryable ? { description: 'no solver offered a route; some did not answer, so a retry may help' } : {}),
    data: {
      solvers: Object.fromEntries(
        failures.map(({ solver, error }) => [solver, publicKinds.has(error.kind) ? error.kind : 'SolverFailed']),
      ),
      retryable,
    },
  })
}
