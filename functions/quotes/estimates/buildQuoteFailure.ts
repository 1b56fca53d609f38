import { ApiError } from '#shared/http/errors.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { isRefusal, isRefusedByAll } from '#shared/solvers/collectResponses.ts'
import { type SolverError, toPublicKind } from '#shared/solvers/requestSolver.ts'
import { toLine } from '#shared/toLine.ts'
import { RefutedError } from '../verification/RefutedError.ts'
import type { Refutation } from '../verification/verifyEstimate.ts'

type Failure = { solver: string; error: SolverError }

/** Solver reasons that are meant for traders, in order of precedence when they differ. */
const customKinds = [
  'TradingOutsideAllowedWindow',
  'TokenTemporarilySuspended',
  'InsufficientLiquidity',
  'CustomSolverError',
] as const

const maxMessageLength = 200

/**
 * Error for a quote that no solver could provide, with the outcome of each solver. A solver's reason for the trader
 * takes precedence over a missing route and carries the solver's message. A transfer from the owner or to the receiver
 * that reverts is `TransferSimulationFailed`: no route helps. `NoLiquidity` needs at least one solver that responded
 * without a route, or with an offer that its simulation refuted; otherwise the error is `ServiceUnavailable`.
 * `retryable` is false only when every solver responded that it has no route, or a transfer reverts.
 */
export const buildQuoteFailure = (failures: readonly Failure[]): ApiError => {
  const retryable = !isRefusedByAll(failures)
  const data: JsonObject = {
    solvers: Object.fromEntries(failures.map(({ solver, error }) => [solver, toPublicKind(error)])),
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
  const reverting = failures.find(isReverting)
  if (reverting)
    return buildTransferFailure(reverting.error.refutation, { ...data, refuted: Object.fromEntries(refuted) })
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

const isReverting = (failure: Failure): failure is Failure & { error: RefutedError } =>
  failure.error instanceof RefutedError && reverts.has(failure.error.refutation.reason)

const reverts: ReadonlySet<string> = new Set(['transferReverts', 'payoutReverts'])

const buildTransferFailure = ({ reason, detail }: Refutation, data: JsonObject): ApiError => {
  const isPayout = reason === 'payoutReverts'
  const what = isPayout ? 'payout of the buy token to the receiver' : 'transfer of the sell token from the owner'
  return new ApiError('TransferSimulationFailed', {
    description: `the simulated ${what} failed${detail ? `: ${detail}` : ''}`,
    data: { ...data, field: isPayout ? 'buyToken' : 'sellToken', revert: detail ?? null, retryable: false },
  })
}

/** The solver's message in one line; undefined when it is empty. */
const toDescription = (message: string): { description?: string } => {
  const description = toLine(message, maxMessageLength)
  return description === '' ? {} : { description }
}
