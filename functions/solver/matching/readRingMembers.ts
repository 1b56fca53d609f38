import { minOf } from '#shared/amounts/minMax.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { computeMost } from '../batches/computeMost.ts'
import { computeOrderFee } from '../batches/computeOrderFee.ts'
import type { RingMember } from './settleRing.ts'

/**
 * The orders of a ring with their bounds.
 * @returns undefined when an order does not pay for its gas, or must give another amount than the one before it needs
 */
export const readRingMembers = (market: BatchMarket, orders: readonly AuctionOrder[]): RingMember[] | undefined => {
  const trades = orders.map((order) => {
    const amount = computeMost(market, [], order)
    return { order, amount, fee: computeOrderFee(market, order, 0n, amount) }
  })
  const members: RingMember[] = []
  for (const [i, { order, amount, fee }] of trades.entries()) {
    const before = trades.at(i - 1)
    if (fee === undefined || !before) return undefined
    const isNeeded = before.order.kind === 'buy'
    const own = order.kind === 'sell' ? amount - fee : undefined
    const most = isNeeded ? minOf(before.amount, own ?? before.amount) : (own ?? order.sellAmount)
    const isOwnFixed = order.kind === 'sell' && !order.partiallyFillable
    const isNeedFixed = isNeeded && !before.order.partiallyFillable
    if (most <= 0n || (isOwnFixed && most !== own) || (isNeedFixed && most !== before.amount)) return undefined
    members.push({ order, fee, most, isFixed: isOwnFixed || isNeedFixed })
  }
  return members
}
