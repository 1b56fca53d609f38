import type { FeeRules } from '#shared/fees/feeRules.ts'
import { ApiError } from '#shared/http/errors.ts'
import { collectResponses, isRefusal } from '#shared/solvers/collectResponses.ts'
import { hasAgreement } from '#shared/solvers/computeConsensusPrice.ts'
import { checkTokenFaults, forgetTokens } from '#shared/tokens/checkTokenFaults.ts'
import { createLayoutFinder } from '#shared/tokens/createLayoutFinder.ts'
import type { CheckTokenFaultsDeps } from '#shared/tokens/findTokenFault.ts'
import { buildQuote, type Quote } from './amounts/buildQuote.ts'
import { findTooSmall } from './amounts/findTooSmall.ts'
import { buildQuoteFailure } from './estimates/buildQuoteFailure.ts'
import { computePlausibleEstimates } from './estimates/computePlausibleEstimates.ts'
import { computeSupportedEstimates } from './estimates/computeSupportedEstimates.ts'
import { type Estimate, type FindEstimateDeps, findEstimate } from './estimates/findEstimate.ts'
import { type EstimateMarket, type FindMarketDeps, findMarket } from './estimates/findMarket.ts'
import { isBetterEstimate } from './estimates/isBetterEstimate.ts'
import { logImplausible, toSolverFailure } from './estimates/logImplausible.ts'
import { computeTimeLeft } from './request/computeTimeLeft.ts'
import type { PreparedRequest } from './request/prepareRequest.ts'
import { minTimeoutMs } from './request/quoteRequest.ts'
import { type CreateVerifierDeps, createVerifier, skipVerification } from './verification/createVerifier.ts'
import { RefutedError } from './verification/RefutedError.ts'

export type FindBestQuoteDeps = FindMarketDeps &
  CheckTokenFaultsDeps &
  CreateVerifierDeps & {
    feeRules: FeeRules
    /** maximum gas of settling one order, gas units */
    maxGas: bigint
    /** longest time that anything is waited for, milliseconds */
    timeoutMs: number
    judgesLimits?: FindEstimateDeps['judgesLimits']
  }

/** A `fast` quote takes what two solvers agree on, and of two the lower (`computeSupportedEstimates`). */
const isEnoughForFast = (estimates: readonly Estimate[]): boolean =>
  hasAgreement(estimates.map(({ sellAmount, buyAmount }) => Number(buyAmount) / Number(sellAmount)))

/**
 * Requests offers of all solvers at once, verifies them, all within the deadline, and returns the best plausible
 * estimate. Gas price and native prices are found meanwhile. When every offer is refuted, the solvers get one more
 * request.
 * @throws ApiError as `buildQuoteFailure` when no solver offers a plausible route; `NoLiquidity` when a token has no price;
 *   `UnsupportedToken` as `checkTokenFaults`; `ServiceUnavailable` without a gas price; `SellAmountDoesNotCoverFee` as
 *   `findTooSmall`, it and `SellAmountOverflow` as `buildQuote`
 */
export const findBestQuote = async (deps: FindBestQuoteDeps, prepared: PreparedRequest): Promise<Quote> => {
  const first = await findQuote(deps, prepared)
  const outcome = isWorthRetry(deps, prepared, first) ? await findQuote(deps, prepared).catch(() => first) : first
  if ('quote' in outcome) return outcome.quote
  const { failure, market } = outcome
  if (failure.errorType !== 'NoLiquidity' || market instanceof ApiError) throw failure
  throw (await findTooSmall(prepared, market, (larger) => findQuoteOfSize(deps, larger))) ?? failure
}

/** @throws ApiError as `findBestQuote`, but for a size that is too small for any route */
export const findQuoteOfSize = async (deps: FindBestQuoteDeps, prepared: PreparedRequest): Promise<Quote> => {
  const outcome = await findQuote(deps, prepared)
  if ('quote' in outcome) return outcome.quote
  throw outcome.failure
}

type Outcome = { quote: Quote } | { failure: ApiError; market: EstimateMarket | ApiError; isRefuted: boolean }

/** A pool that moves between an offer and its simulation refutes an honest offer: the solvers get a second chance. */
const isWorthRetry = (deps: FindBestQuoteDeps, prepared: PreparedRequest, outcome: Outcome): boolean =>
  'failure' in outcome && outcome.isRefuted && computeTimeLeft(deps, prepared) >= minTimeoutMs

const findQuote = async (deps: FindBestQuoteDeps, prepared: PreparedRequest): Promise<Outcome> => {
  const { request } = prepared
  const timeoutMs = computeTimeLeft(deps, prepared)
  const signal = AbortSignal.timeout(timeoutMs)
  const isFast = request.priceQuality === 'fast'
  const findLayout = isFast ? undefined : createLayoutFinder(deps, signal)
  const verify = findLayout ? createVerifier(deps, prepared, signal, findLayout) : skipVerification
  const race = deps.startRace?.()
  const [market, estimates] = await Promise.all([
    findMarket(deps, request, { timeoutMs, isEnough: isFast ? hasAgreement : undefined }),
    collectResponses(
      deps.solvers,
      (solver) => findEstimate({ ...deps, verify, race }, solver, prepared, { timeoutMs, signal }),
      isFast ? isEnoughForFast : undefined,
    ),
    checkTokenFaults(deps, request, signal, findLayout),
  ])
  const isRefuted =
    estimates.responses.length === 0 && estimates.failures.some(({ error }) => error instanceof RefutedError)
  if (isRefuted) {
    forgetTokens(deps.tokenFaults, request)
    await checkTokenFaults(deps, request, signal, findLayout)
  }
  if (estimates.responses.length === 0) return { failure: buildQuoteFailure(estimates.failures), market, isRefuted }
  if (market instanceof ApiError) throw market
  const isAwaited = estimates.failures.some(({ error }) => !isRefusal(error))
  const { plausible, implausible } = computePlausibleEstimates(estimates.responses, market, isAwaited)
  for (const dropped of implausible) logImplausible(dropped)
  const [first, ...others] = isFast ? computeSupportedEstimates(plausible, market, request.kind) : plausible
  if (!first) {
    const failure = buildQuoteFailure([...estimates.failures, ...implausible.map(toSolverFailure)])
    return { failure, market, isRefuted }
  }
  const best = others.reduce(
    (leader, candidate) => (isBetterEstimate(request.kind, market, candidate, leader) ? candidate : leader),
    first,
  )
  return { quote: buildQuote(deps, prepared, market, best) }
}
