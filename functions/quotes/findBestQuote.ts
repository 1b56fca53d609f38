import type { Address } from 'viem'
import { toRational } from '#shared/amounts/rational.ts'
import { ApiError } from '#shared/http/errors.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { askQuote, type QuoteQuery, type SolverQuote } from '#shared/solvers/askQuote.ts'
import { SolverError } from '#shared/solvers/askSolver.ts'
import { collectAnswers } from '#shared/solvers/collectAnswers.ts'
import { findNativePrice, type NativePriceDeps } from '#shared/solvers/findNativePrice.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import { buildNoLiquidity } from './buildNoLiquidity.ts'
import { computeNetValue } from './computeNetValue.ts'
import { computeNetworkFee } from './computeNetworkFee.ts'
import { computeQuoteAmounts, type QuoteAmounts } from './computeQuoteAmounts.ts'
import type { QuoteRequest } from './quoteRequest.ts'

export type FindBestQuoteDeps = NativePriceDeps & {
  /** wei per gas unit; rejects with an ApiError */
  findGasPrice: (timeoutMs: number) => Promise<bigint>
  /** longest time that anything is waited for, milliseconds */
  timeoutMs: number
}

type Estimate = SolverQuote & { gas: bigint }

/** The best estimate of all solvers, with the fee and the amounts that follow from it. */
export type Quote = {
  estimate: Estimate
  amounts: QuoteAmounts
  /** gas units: the estimate's and the signature check's */
  gas: bigint
  /** wei per gas unit */
  gasPrice: bigint
  /** wei per sell token atom */
  sellTokenPrice: number
}

/** Gas of a signature check by the owner's contract when the client does not know it. */
const defaultVerificationGas = 27_000n
/** Gas of turning bought wrapped native tokens into native ones. */
const unwrapGas = 9_223n
/** Answers that a `fast` quote waits for. */
const fastAnswers = 2

/**
 * Asks all solvers at once, each bounded by the deadline, and keeps the answer that leaves the trader most after gas.
 * Gas price and native prices are found meanwhile. The buy token's price is needed too: without one an order could
 * never enter an auction.
 * @throws ApiError `NoLiquidity` when no solver has a route or a token has no price; `ServiceUnavailable` without a gas
 *   price; `SellAmountDoesNotCoverFee` and `SellAmountOverflow` as `computeQuoteAmounts`
 */
export const findBestQuote = async (deps: FindBestQuoteDeps, request: QuoteRequest): Promise<Quote> => {
  const timeoutMs = Math.min(request.timeout ?? deps.timeoutMs, deps.timeoutMs)
  const enough = request.priceQuality === 'fast' ? fastAnswers : undefined
  const findPrice = (token: Address) => findNativePrice(deps, token, timeoutMs, enough).catch(keepSolverError)
  const [gasPrice, estimates, sellTokenPrice, buyTokenPrice] = await Promise.all([
    deps.findGasPrice(timeoutMs),
    collectAnswers(deps.solvers, (solver) => askEstimate(deps, solver, request, timeoutMs), enough),
    findPrice(request.sellToken),
    findPrice(request.buyToken),
  ])
  if (estimates.answers.length === 0) throw buildNoLiquidity(estimates.failures)
  checkPriced('sellToken', request.sellToken, sellTokenPrice)
  checkPriced('buyToken', request.buyToken, buyTokenPrice)
  const price = toRational(request.kind === 'sell' ? buyTokenPrice : sellTokenPrice)
  const estimate = pickBest(estimates.answers, (candidate) => computeNetValue(request.kind, candidate, price, gasPrice))
  const gas = estimate.gas + computeVerificationGas(request)
  const amounts = computeQuoteAmounts(request.size, estimate, computeNetworkFee(gas, gasPrice, sellTokenPrice))
  return { estimate, amounts, gas, gasPrice, sellTokenPrice }
}

/** Native tokens are bought wrapped and unwrapped in the settlement. */
const askEstimate = async (
  { network, now }: FindBestQuoteDeps,
  solver: Solver,
  { sellToken, buyToken, kind, size }: QuoteRequest,
  timeoutMs: number,
): Promise<Estimate> => {
  const unwraps = buyToken === nativeSentinel
  const asked = unwraps ? network.wrappedNative : buyToken
  const query: QuoteQuery = { sellToken, buyToken: asked, kind, amount: size.amount }
  const { gas, ...quote } = await askQuote(solver, query, { now, timeoutMs })
  if (gas === undefined) throw new SolverError('Garbage', 'no gas, so its cost is unknown')
  return { ...quote, gas: unwraps ? gas + unwrapGas : gas }
}

const keepSolverError = (error: unknown): SolverError => {
  if (error instanceof SolverError) return error
  throw error
}

function checkPriced(field: string, token: Address, price: number | undefined | SolverError): asserts price is number {
  if (typeof price === 'number') return
  throw new ApiError('NoLiquidity', {
    description: `${field} has no price in the native token`,
    data: { field, token, retryable: price !== undefined },
  })
}

/** The first of the best, so that ties go to whoever answered sooner. */
const pickBest = (estimates: Estimate[], value: (estimate: Estimate) => bigint): Estimate =>
  estimates.reduce((best, candidate) => (value(candidate) > value(best) ? candidate : best))

const computeVerificationGas = ({ signingScheme, verificationGasLimit }: QuoteRequest): bigint => {
  if (signingScheme !== 'eip1271') return 0n
  return verificationGasLimit === undefined ? defaultVerificationGas : BigInt(verificationGasLimit)
}
