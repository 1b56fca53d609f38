import type { FeeRules } from '#shared/fees/feeRules.ts'
import { collectAnswers } from '#shared/solvers/collectAnswers.ts'
import { buildQuote, type Quote } from './buildQuote.ts'
import { buildQuoteFailure } from './buildQuoteFailure.ts'
import { type CreateVerifierDeps, createVerifier, skipVerification } from './createVerifier.ts'
import { findEstimate } from './findEstimate.ts'
import { type FindMarketDeps, findMarket } from './findMarket.ts'
import { isBetterEstimate } from './isBetterEstimate.ts'
import type { PreparedRequest } from './prepareRequest.ts'

export type FindBestQuoteDeps = FindMarketDeps &
  CreateVerifierDeps & {
    feeRules: FeeRules
    /** longest time that anything is waited for, milliseconds */
    timeoutMs: number
  }

/** Answers that a `fast` quote waits for. */
const fastAnswers = 2

/**
 * Asks all solvers at once and verifies what they offer, all of it within the deadline, and keeps the best estimate. Gas
 * price and native prices are found meanwhile.
 * @throws ApiError as `buildQuoteFailure` when no solver offers a route; `NoLiquidity` when a token has no price;
 *   `ServiceUnavailable` without a gas price; `SellAmountDoesNotCoverFee` and `SellAmountOverflow` as `buildQuote`
 */
export const findBestQuote = async (deps: FindBestQuoteDeps, prepared: PreparedRequest): Promise<Quote> => {
  const { request } = prepared
  const timeoutMs = Math.min(request.timeout ?? deps.timeoutMs, deps.timeoutMs)
  const signal = AbortSignal.timeout(timeoutMs)
  const isFast = request.priceQuality === 'fast'
  const enough = isFast ? fastAnswers : undefined
  const verify = isFast ? skipVerification : createVerifier(deps, prepared, signal)
  const [getMarket, estimates] = await Promise.all([
    findMarket(deps, request, { timeoutMs, enough }),
    collectAnswers(
      deps.solvers,
      (solver) => findEstimate({ ...deps, verify }, solver, prepared, { timeoutMs, signal }),
      enough,
    ),
  ])
  const [first, ...others] = estimates.answers
  if (!first) throw buildQuoteFailure(estimates.failures)
  const market = getMarket()
  const best = others.reduce(
    (leader, candidate) => (isBetterEstimate(request.kind, market, candidate, leader) ? candidate : leader),
    first,
  )
  return buildQuote(deps, prepared, market, best)
}
