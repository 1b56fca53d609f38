import { compareDescending } from '#shared/amounts/compareDescending.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Batch } from './batch.ts'
import type { BatchMarket } from './batchMarket.ts'
import { growBatch } from './growBatch.ts'
import { withTolerance } from './listPairRoutes.ts'

/**
 * Builds one batch for each directed pair and kind, and one for each order that must be settled alone; best score
 * first.
 *
 * A batch starts with the order of the best individual score. Further orders are added while all orders stay within
 * their limits and the score does not fall, because more volume moves the price for all. A partially fillable order
 * that does not fit with its full amount may fit with less.
 *
 * Batches have the tolerance of the market; where no order of a group has that much slack, a quarter of it, else none.
 */
export const buildBatches = (market: BatchMarket, orders: readonly AuctionOrder[]): Batch[] => {
  const groups = Map.groupBy(orders, ({ uid, sellToken, buyToken, kind, settleAlone }) =>
    settleAlone ? uid : `${sellToken}-${buyToken}-${kind}`,
  )
  const { tolerance } = market
  const markets = [...new Set([tolerance, tolerance / 4n, 0n])].map((share) => withTolerance(market, share))
  return [...groups.values()]
    .flatMap((group) => growFirst(markets, group))
    .sort((a, b) => compareDescending(a.score, b.score))
}

const growFirst = (markets: readonly BatchMarket[], group: readonly AuctionOrder[]): Batch[] => {
  for (const market of markets) {
    const batch = growBatch(market, group)
    if (batch) return [batch]
  }
  return []
}
