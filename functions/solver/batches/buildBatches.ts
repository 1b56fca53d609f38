import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { BatchMarket } from './batchMarket.ts'
import { type Batch, buildBatch, buildBatchWith, computeMost, toRequest } from './buildBatch.ts'
import { buildSplitBatch, buildSplitBatchWith } from './buildSplitBatch.ts'
import { computeRestCost } from './computeOrderFee.ts'
import { canMeetLimit, listPairRoutes, withTolerance } from './listPairRoutes.ts'

/** maximum orders per batch: keeps a settlement below a few million gas */
const maxBatchOrders = 20
/** orders tried for one batch, in the order of their individual scores */
const maxCandidates = 60
/** orders considered for one batch, those with the most generous limits */
const maxOrders = 200
/** orders of one batch that are tried with a split over several routes */
const maxSplitOrders = 5
/** partially fillable orders of one batch whose amount is searched, those with the most generous limits first */
const maxSized = 20

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

const growBatch = (market: BatchMarket, group: readonly AuctionOrder[]): Batch | undefined => {
  const orders = group
    .filter((order) => listPairRoutes(market, order).some(({ spot }) => canMeetLimit(order, spot)))
    .sort(compareLimitPrices)
    .slice(0, maxOrders)
  const sized = new Set(orders.filter(({ partiallyFillable }) => partiallyFillable).slice(0, maxSized))
  const candidates = orders
    .flatMap((order) => buildBatchWith(market, [], order, sized.has(order)) ?? [])
    .sort((a, b) => compareDescending(a.score, b.score))
    .slice(0, maxCandidates)
  let best = candidates[0] ?? findSplit(market, orders, sized)
  for (const candidate of candidates.slice(1)) {
    const [added] = candidate.fills
    if (!best || !added || best.fills.length === maxBatchOrders) break
    const base = best.fills.map(toRequest)
    const grown = buildBatch(market, [...base, toRequest(added)])
    if (grown && grown.score >= best.score) best = grown
    else if (sized.has(added.order)) best = pickBetter(best, buildBatchWith(market, base, added.order, true))
  }
  return best && growSplit(market, best, orders, sized)
}

/** The first order that only a split over several routes fills. */
const findSplit = (
  market: BatchMarket,
  orders: readonly AuctionOrder[],
  sized: ReadonlySet<AuctionOrder>,
): Batch | undefined => {
  for (const order of orders.slice(0, maxSplitOrders)) {
    const amount = computeMost(market, [], order)
    const split =
      buildSplitBatch(market, [{ order, amount }], undefined) ??
      (sized.has(order) ? buildSplitBatchWith(market, [], order) : undefined)
    if (split) return split
  }
  return undefined
}

/** Splits a batch over several routes if that is better, and adds orders that fit then. */
const growSplit = (
  market: BatchMarket,
  single: Batch,
  orders: readonly AuctionOrder[],
  sized: ReadonlySet<AuctionOrder>,
): Batch => {
  let best = buildSplitBatch(market, single.fills.map(toRequest), single) ?? single
  if (best === single && single.fills.length === orders.length) return best
  const isFilled = (order: AuctionOrder) => best.fills.some((fill) => fill.order.uid === order.uid && !sized.has(order))
  for (const order of orders.filter((order) => !isFilled(order)).slice(0, maxSplitOrders)) {
    if (best.fills.length === maxBatchOrders) break
    const base = best.fills.filter((fill) => fill.order.uid !== order.uid).map(toRequest)
    const request = { order, amount: computeMost(market, base, order) }
    const grown = buildSplitBatch(market, [...base, request], undefined)
    if (grown && grown.score >= best.score) best = grown
    else if (sized.has(order)) {
      const part = buildSplitBatchWith(market, base, order)
      // a part instead of the whole leaves a second settlement to pay for
      const cost = base.length < best.fills.length ? computeRestCost(market, order) : 0n
      if (part && part.score > best.score + cost) best = part
    }
  }
  return best
}

const pickBetter = (best: Batch, other: Batch | undefined): Batch => (other && other.score > best.score ? other : best)

/** Compares limit prices: orders with more generous limits come first. */
export const compareLimitPrices = (a: AuctionOrder, b: AuctionOrder): number =>
  compareDescending(a.sellAmount * b.buyAmount, b.sellAmount * a.buyAmount)

const compareDescending = (a: bigint, b: bigint): number => (a < b ? 1 : a > b ? -1 : 0)
