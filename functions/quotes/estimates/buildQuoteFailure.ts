import { ApiError, type JsonObject } from '#shared/http/errors.ts'
import type { SolverError } from '#shared/solvers/askSolver.ts'
import { isRefusal } from '#shared/solvers/collectAnswers.ts'
import { RefutedError } from '../verification/RefutedError.ts'

type Failure = { solver: string; error: SolverError }

/** Reasons that solvers give to traders, in the order in which one is chosen when they differ. */
const customKinds = [
  'TradingOutsideAllowedWindow',
  'TokenTemporarilySuspended',
  'InsufficientLiquidity',
  'CustomSolverError',
] as const

/** Outcomes a client may see; any other word comes from the solver itself and could be anything. */
const publicKinds = new Set<string>([
  ...customKinds,
  'Implausible',
  'Refuted',
  'Timeout',
  'Unreachable',
  'Garbage',
  'QuotingFailed',
  'QuoteSameTokens',
  'SolverFailed',
  'DeadlineExceeded',
  'Unavailable',
  'NoValidOrders',
])

const maxMessageLength = 200

/**
 * The error of a quote that no solver could give, with the outcome of each solver. A reason that a solver gave to the trader
 * goes before the lack of a route and brings the solver's own message. `NoLiquidity` needs at least one solver that responded
 * without a route, or with an offer that its simulation refuted: an outage is `ServiceUnavailable`. `retryable` is false only when every solver looked and said no.
 */
export const buildQuoteFailure = (failures: readonly Failure[]): ApiError => {
  const retryable = failures.length === 0 || failures.some(({ error }) => !isRefusal(error))
  const data: JsonObject = {
    solvers: Object.fromEntries(
      failures.map(({ solver, error }) => [solver, publicKinds.has(error.kind) ? error.kind : 'SolverFailed']),
    ),
    retryable,
  }
  for (const kind of customKinds) {
    const failure = failures.find(({ error }) => error.kind === kind)
    if (failure) return new ApiError(kind, { ...toDescription(failure.error.message), data })
  }
  if (!retryable) return new ApiError('NoLiquidity', { data })
  const refuted = failures.flatMap(({ solver, error }) =>
    error instanceof RefutedError ? [[solver, error.toJson()] as const] : [],
  )
  if (refuted.length > 0) {
    const description = 'the simulation of every offer failed; data.refuted has the reasons'
    return new ApiError('NoLiquidity', { description, data: { ...data, refuted: Object.fromEntries(refuted) } })
  }
  if (!failures.some(({ error }) => isRefusal(error))) {
    return new ApiError('ServiceUnavailable', { description: 'no solver responded; retry later', data })
  }
  const description = 'no solver offered a route; some did not respond, so a retry may help'
  return new ApiError('NoLiquidity', { description, data })
}

/** One line of what the solver wrote; nothing when it wrote nothing. */
const toDescription = (message: string): { description?: string } => {
  const line = message.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  if (line === '') return {}
  return { description: line.length > maxMessageLength ? `${line.slice(0, maxMessageLength)}…` : line }
}
