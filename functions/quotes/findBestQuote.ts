import type { FeeRules } from '#shared/fees/feeRules.ts'
import { collectAnswers } from '#shared/solvers/collectAnswers.ts'
import { hasAgreement } from '#shared/solvers/computeConsensusPrice.ts'
import { buildQuote, type Quote } from './buildQuote.ts'
import { buildQuoteFailure } from './buildQuoteFailure.ts'
import { computePlausibleEstimates } from './computePlausibleEstimates.ts'
import { computeTimeLeft } from './computeTimeLeft.ts'
import { type CreateVerifierDeps, createVerifier, skipVerification } from './createVerifier.ts'
import { type Estimate, findEstimate } from './findEstimate.ts'
import { type FindMarketDeps, findMarket } from './findMarket.ts'
import { isBetterEstimate } from './isBetterEstimate.ts'
import { logImplausible, toSolverFailure } from './logImplausible.ts'
import type { PreparedRequest } from './prepareRequest.ts'

export type FindBestQuoteDeps = FindMarketDeps &
  CreateVerifierDeps & {
    feeRules: FeeRules
    /** longest time that anything is waited for, milliseconds */
    timeoutMs: number
  }

/** A `fast` quote takes what two solvers agree on. */
const isEnoughForFast = (estimates: readonly Estimate[]): boolean =>
  hasAgreement(estimates.map(({ sellAmount, buyAmount }) => Number(buyAmount) / Number(sellAmount)))

/**
 * Asks all solvers at once and verifies their offers, all of it within the deadline, and returns the best plausible estimate.
 * Gas price and native prices are found meanwhile.
 * @throws ApiError as `buildQuoteFailure` when no solver offers a plausible route; `NoLiquidity` when a token has no price;
 *   `ServiceUnavailable` without a gas price; `SellAmountDoesNotCoverFee` and `SellAmountOverflow` as `buildQuote`
 */
export const findBestQuote = async (deps: FindBestQuoteDeps, prepared: PreparedRequest): Promise<Quote> => {
  const { request } = prepared
  const timeoutMs = computeTimeLeft(deps, prepared)
  const signal = AbortSignal.timeout(timeoutMs)
  const isFast = request.priceQuality === 'fast'
  const verify = isFast ? skipVerification : createVerifier(deps, prepared, signal)
  const race = deps.startRace?.()
  const [getMarket, estimates] = await Promise.all([
    findMarket(deps, request, { timeoutMs, isEnough: isFast ? hasAgreement : undefined }),
    collectAnswers(
      deps.solvers,
      (solver) => findEstimate({ ...deps, verify, race }, solver, prepared, { timeoutMs, signal }),
      isFast ? isEnoughForFast : undefined,
    ),
  ])
  if (estimates.answers.length === 0) throw buildQuoteFailure(estimates.failures)
  const market = getMarket()
  const { plausible, implausible } = computePlausibleEstimates(estimates.answers, market)
  for (const dropped of implausible) logImplausible(dropped)
  const [first, ...others] = plausible
  if (!first) throw buildQuoteFailure([...estimates.failures, ...implausible.map(toSolverFailure)])
  const best = others.reduce(
    (leader, candidate) => (isBetterEstimate(request.kind, market, candidate, leader) ? candidate : leader),
    first,
  )
  return buildQuote(deps, prepared, market, best)
}
