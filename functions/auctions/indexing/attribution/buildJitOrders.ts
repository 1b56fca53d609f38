import type { WinningSolution } from '#schema/queries/auctions/solutions.ts'
import type { ChainEvents } from '#schema/queries/chain/chainUpdate.ts'
import { buildJitOrder } from './buildJitOrder.ts'
import type { AttributionDeps, Origin, RawSettlement } from './traceNested.ts'

/** Orders of a settlement that were in no auction. */
export const buildJitOrders = (
  { network, log }: AttributionDeps,
  settledAt: Date,
  { trades }: RawSettlement,
  { decoded }: Origin,
  winner: WinningSolution,
): ChainEvents['jitOrders'] => {
  const unknown = new Set(winner.orders.filter(({ isJit }) => isJit).map(({ uid }) => uid))
  if (unknown.size === 0) return []
  return trades.flatMap((trade, i) => {
    const decodedTrade = decoded?.trades[i]
    if (!unknown.has(trade.orderUid) || !decodedTrade) return []
    const order = buildJitOrder(network, decodedTrade, trade, settledAt)
    if (!order) log({ message: 'calldata and event of a trade differ', order: trade.orderUid })
    return order ? [order] : []
  })
}
