import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { type Batch, isFunded } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { computeOrderFee } from '../batches/computeOrderFee.ts'
import { buildFill, type OrderFill } from '../fills/buildFill.ts'
import type { SwapRoute } from '../routing/swapRoute.ts'

/** An order of a ring and its bounds, atoms. */
export interface RingMember {
  order: AuctionOrder
  /** network fee, sell token */
  fee: bigint
  /** maximum amount given to the next owner, without the fee: that of a sell order, or what a buy order there needs */
  most: bigint
  /** the amount of `most` or nothing, because of this order or of the one that receives it */
  isFixed: boolean
}

/**
 * Fills the orders of a ring.
 * @param given by each owner without the fee, atoms
 * @param received by each owner, atoms
 * @param route of a rest
 * @returns undefined when an order is below its limit, or an owner lacks tokens
 */
export const settleRing = (
  market: BatchMarket,
  members: readonly RingMember[],
  given: readonly bigint[],
  received: readonly bigint[],
  route: SwapRoute,
): Batch | undefined => {
  const fills: OrderFill[] = []
  const pairs: Pick<Batch, 'sellToken' | 'buyToken' | 'rate'>[] = []
  for (const [i, { order, fee }] of members.entries()) {
    const [amountIn, amountOut] = [given[i] as bigint, received[i] as bigint]
    // a part pays its part of a signed fee
    const part = order.kind === 'sell' ? amountIn : amountOut
    if (amountIn <= 0n || computeOrderFee(market, order, 0n, part) === undefined) return undefined
    const buyPrice = market.prices.get(order.buyToken)
    const gross = { executedSell: amountIn + fee, executedBuy: amountOut }
    const fill = buyPrice && buildFill(order, gross, fee, buyPrice)
    if (!fill) return undefined
    fills.push(fill)
    pairs.push({ sellToken: order.sellToken, buyToken: order.buyToken, rate: { amountIn, amountOut } })
  }
  const [first, ...others] = pairs.slice(0, -1)
  if (!first || !isFunded(market, fills)) return undefined
  const score = fills.reduce((sum, fill) => sum + fill.score, 0n)
  return { ...first, ring: others, fills, route, tolerance: market.tolerance, score }
}
