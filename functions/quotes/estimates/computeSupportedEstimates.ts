import { mulDivCeil, mulDivFloor } from '#shared/amounts/mulDiv.ts'
import type { OrderKind } from '#shared/signing/order.ts'
import type { Estimate } from './findEstimate.ts'
import type { EstimateMarket } from './findMarket.ts'

/** Offers of two solvers for the same trade support each other up to this factor. */
const supportFactor = 1.03
/** Both directions of a confirmed price differ up to this factor (`requestDepthPrice`), so an honest offer is no better than that. */
const priceFactor = 1.25
/** unit of factors in integers */
const scale = 10n ** 12n

/**
 * Estimates that no simulation confirms, without what one solver alone promises: the second best and those close to it.
 * A single estimate is reduced to what confirmed prices allow; without these it stays as it is, because nothing
 * contradicts it.
 */
export const computeSupportedEstimates = (
  estimates: readonly Estimate[],
  market: Pick<EstimateMarket, 'sellTokenPrice' | 'buyTokenPrice' | 'isConfirmed'>,
  kind: OrderKind,
): Estimate[] => {
  const rated = estimates
    .map((estimate) => ({ estimate, rate: Number(estimate.buyAmount) / Number(estimate.sellAmount) }))
    .toSorted((a, b) => b.rate - a.rate)
  const [best, second] = rated
  if (!best) return []
  if (second) return rated.filter(({ rate }) => rate <= second.rate * supportFactor).map(({ estimate }) => estimate)
  const worth = (best.rate * market.buyTokenPrice) / market.sellTokenPrice
  const excess = BigInt(Math.ceil((worth / priceFactor) * Number(scale)))
  if (!market.isConfirmed || excess <= scale) return [best.estimate]
  const { sellAmount, buyAmount } = best.estimate
  const reduced =
    kind === 'sell'
      ? { buyAmount: mulDivFloor(buyAmount, scale, excess) }
      : { sellAmount: mulDivCeil(sellAmount, excess, scale) }
  return [{ ...best.estimate, ...reduced }]
}
