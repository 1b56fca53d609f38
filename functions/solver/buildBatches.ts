import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { type Batch, buildBatch, type Market } from './buildBatch.ts'

/** orders that one batch may hold: keeps a settlement below a few million gas */
const maxBatchOrders = 20
/** orders that are tried for one batch, the best on their own first */
const maxCandidates = 60

/**
 * One batch for each directed pair and kind, best score first.
 *
 * A batch starts with the order that scores best on its own and takes the next best as long as all its orders stay within
 * their limits and the score does not fall: more volume moves the price for all of them.
 */
export const buildBatches = (market: Market, orders: readonly AuctionOrder[]): Batch[] => {
  const groups = Map.groupBy(orders, ({ sellToken, buyToken, kind }) => `${sellToken}-${buyToken}-${kind}`)
  return [...groups.values()]
    .flatMap((group) => growBatch(market, group) ?? [])
    .sort((a, b) => compareDescending(a.score, b.score))
}

const growBatch = (market: Market, group: readonly AuctionOrder[]): Batch | undefined => {
  const candidates = group
    .flatMap((order) => buildBatch(market, [order]) ?? [])
    .sort((a, b) => compareDescending(a.score, b.score))
    .slice(0, maxCandidates)
  let best = candidates[0]
  for (const candidate of candidates.slice(1)) {
    if (!best || best.fills.length === maxBatchOrders) break
    const grown = buildBatch(
      market,
      [...best.fills, ...candidate.fills].map(({ order }) => order),
    )
    if (grown && grown.score >= best.score) best = grown
  }
  return best
}

const compareDescending = (a: bigint, b: bigint): number => (a < b ? 1 : a > b ? -1 : 0)
