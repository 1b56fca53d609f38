import { describeError } from '#shared/http/describeError.ts'
import { orderBookFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { toApiError } from '#shared/http/toApiError.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { isRefusal } from '#shared/solvers/collectResponses.ts'
import { hasAgreement } from '#shared/solvers/computeConsensusPrice.ts'
import { SolverError } from '#shared/solvers/requestSolver.ts'
import type { ServerSentEvent } from '#shared/streams/serverSentEvent.ts'
import { checkTokenFaults, forgetTokens } from '#shared/tokens/checkTokenFaults.ts'
import { createLayoutFinder } from '#shared/tokens/createLayoutFinder.ts'
import { buildQuote } from './amounts/buildQuote.ts'
import { findTooSmall } from './amounts/findTooSmall.ts'
import { buildQuoteFailure } from './estimates/buildQuoteFailure.ts'
import { computePlausibleEstimates, type ImplausibleEstimate } from './estimates/computePlausibleEstimates.ts'
import { type Estimate, findEstimate } from './estimates/findEstimate.ts'
import { type EstimateMarket, findMarket } from './estimates/findMarket.ts'
import { isBetterEstimate } from './estimates/isBetterEstimate.ts'
import { logImplausible, toSolverFailure } from './estimates/logImplausible.ts'
import { findQuoteOfSize } from './findBestQuote.ts'
import type { QuoteDeps } from './postQuote.ts'
import { computeTimeLeft } from './request/computeTimeLeft.ts'
import type { PreparedRequest } from './request/prepareRequest.ts'
import { createFundingFinder, type FindFunding } from './response/createFundingFinder.ts'
import { storeQuote } from './response/storeQuote.ts'
import { toFunding } from './response/toFunding.ts'
import { toQuoteResponse } from './response/toQuoteResponse.ts'
import { createVerifier } from './verification/createVerifier.ts'
import { RefutedError } from './verification/RefutedError.ts'

/** The offer of one solver, or why it has none. */
type SolverOutcome = { solver: string; outcome: Estimate | SolverError }

/**
 * Requests offers as `findBestQuote` does, and returns each plausible one that is strictly better than all before it,
 * each stored under an id of its own. Every solver has its whole time; native prices are those that two solvers agree on.
 * @param gone aborts when the client leaves, which ends all work
 * @returns once gas price and native prices are known; the function sends the events and resolves after the last one
 * @throws ApiError `ServiceUnavailable` without a gas price or any response; `NoLiquidity` when a token has no price;
 *   `UnsupportedToken` as `checkTokenFaults`
 */
export const streamQuotes = async (
  deps: QuoteDeps,
  prepared: PreparedRequest,
  gone: AbortSignal,
): Promise<(send: (event: ServerSentEvent) => void) => Promise<void>> => {
  const { request } = prepared
  const timeoutMs = computeTimeLeft(deps, prepared)
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), gone])
  const findLayout = createLayoutFinder(deps, signal)
  const verify = createVerifier(deps, prepared, signal, findLayout)
  const findFunding = createFundingFinder(deps, prepared)
  const outcomes = deps.solvers.map(
    (solver): Promise<SolverOutcome> =>
      findEstimate({ ...deps, verify }, solver, prepared, { timeoutMs, signal })
        .catch(toSolverError)
        .then((outcome) => ({ solver: solver.name, outcome })),
  )
  const [market] = await Promise.all([
    findMarket(deps, request, { timeoutMs, isEnough: hasAgreement }),
    checkTokenFaults(deps, request, signal, findLayout),
  ])
  if (market instanceof ApiError) throw market
  return async (send) => {
    try {
      await sendImprovements({ ...deps, findFunding }, prepared, market, outcomes, gone, send)
    } catch (error) {
      const failure = toApiError(error)
      logEntry({ message: failure.errorType, route: '/api/v1/quote/stream', ...failure.context })
      send(toErrorEvent(failure))
    }
  }
}

const sendImprovements = async (
  deps: QuoteDeps & { findFunding: FindFunding },
  prepared: PreparedRequest,
  market: EstimateMarket,
  outcomes: readonly Promise<SolverOutcome>[],
  gone: AbortSignal,
  send: (event: ServerSentEvent) => void,
): Promise<void> => {
  const { request } = prepared
  const failures: { solver: string; error: SolverError }[] = []
  const offers: Estimate[] = []
  const considered = new Set<Estimate>()
  let dropped: ImplausibleEstimate[] = []
  let best: Estimate | undefined
  let uncovered: ApiError | undefined
  const consider = async ({ solver, outcome }: SolverOutcome) => {
    if (gone.aborted) return
    if (outcome instanceof SolverError) failures.push({ solver, error: outcome })
    else offers.push(outcome)
    const refusals = failures.filter(({ error }) => isRefusal(error))
    const isAwaited = offers.length + refusals.length < outcomes.length
    const { plausible, implausible } = computePlausibleEstimates(offers, market, isAwaited)
    dropped = implausible
    // this outcome may have confirmed an offer that was held back
    for (const offer of plausible) {
      if (considered.has(offer)) continue
      considered.add(offer)
      await offerIfBetter(offer)
    }
  }
  const offerIfBetter = async (offer: Estimate) => {
    if (best && !isBetterEstimate(request.kind, market, offer, best)) return
    try {
      const quote = buildQuote(deps, prepared, market, offer)
      const stored = await storeQuote(deps, prepared, quote)
      best = offer
      const response = toQuoteResponse(deps.network, prepared, quote, stored)
      const funds = await deps.findFunding(quote.ladder.afterSlippage.sellAmount)
      const funding = toFunding(deps.network, request, response.signable, funds)
      send({ data: { ...response, funding } })
    } catch (error) {
      if (!(error instanceof ApiError && error.errorType === 'SellAmountDoesNotCoverFee')) throw error
      uncovered = error
    }
  }
  // one after the other, so that ids grow in the order of the events
  let turn: Promise<void> = Promise.resolve()
  await Promise.all(
    outcomes.map(async (outcome) => {
      const settled = await outcome
      turn = turn.then(() => consider(settled))
      await turn
    }),
  )
  for (const one of dropped) logImplausible(one)
  if (best) return
  if (failures.some(({ error }) => error instanceof RefutedError)) forgetTokens(deps.tokenFaults, request)
  const failure = uncovered ?? buildQuoteFailure([...failures, ...dropped.map(toSolverFailure)])
  const find = (larger: PreparedRequest) => findQuoteOfSize(deps, larger)
  const tooSmall = failure.errorType === 'NoLiquidity' && (await findTooSmall(prepared, market, find))
  send(toErrorEvent(tooSmall || failure))
}

/** A solver that breaks something of ours still costs only itself. */
const toSolverError = (error: unknown): SolverError =>
  error instanceof SolverError ? error : new SolverError('SolverFailed', describeError(error))

const toErrorEvent = (error: ApiError): ServerSentEvent => ({ event: 'error', data: orderBookFormat(error) })
