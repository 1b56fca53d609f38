import { maxOf } from '#shared/amounts/minMax.ts'
import { mulDivCeil, mulDivFloor } from '#shared/amounts/mulDiv.ts'
import type { OrderKind } from '#shared/signing/order.ts'
import type { Estimate } from './findEstimate.ts'
import type { EstimateMarket } from './findMarket.ts'

/** Offers of two solvers for the same trade support each other up to this factor. */
const supportFactor = 1.03
/** Both directions of a confirmed price differ up to this factor (`requestDepthPrice`), so an honest offer is no better than that. */
const priceFactor = 1.25
/** Gas of a settlement with one swap, at least: an unconfirmed claim of less hides the cost of the trade. */
const leastGas = 100_000n
/** unit of factors in integers */
const scale = 10n ** 12n

/**
 * Estimates that no simulation confirms, without what one solver alone promises: the second best and those close to it.
 * All are reduced to what confirmed prices allow, because two solvers may support each other in any amount. Without
 * confirmed prices they stay as they are: nothing contradicts them. Each has the gas of a settlement at least.
 */
export const computeSupportedEstimates = (
  estimates: readonly Estimate[],
  market: Pick<EstimateMarket, 'sellTokenPrice' | 'buyTokenPrice' | 'isConfirmed'>,
  kind: OrderKind,
): Estimate[] => {
  const rated = estimates
    .map((estimate) => ({ ...estimate, gas: maxOf(estimate.gas, leastGas) }))
    .map((estimate) => ({ estimate, rate: Number(estimate.buyAmount) / Number(estimate.sellAmount) }))
    .toSorted((a, b) => b.rate - a.rate)
  const [, second] = rated
  const supported = second ? rated.filter(({ rate }) => rate <= second.rate * supportFactor) : rated
  if (!market.isConfirmed) return supported.map(({ estimate }) => estimate)
  return supported.map(({ estimate, rate }) =>
    reduce(estimate, (rate * market.buyTokenPrice) / market.sellTokenPrice, kind),
  )
}

/** @param worth of what is bought, as a share of what is sold */
const reduce = (estimate: Estimate, worth: number, kind: OrderKind): Estimate => {
  const excess = BigInt(Math.ceil((worth / priceFactor) * Number(scale)))
  if (excess <= scale) return estimate
  const { sellAmount, buyAmount } = estimate
  return kind === 'sell'
    ? { ...estimate, buyAmount: mulDivFloor(buyAmount, scale, excess) }
    : { ...estimate, sellAmount: mulDivCeil(sellAmount, excess, scale) }
}
