import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { listSplits, listStrandsAlong } from '../splitting/listSplits.ts'
import type { Batch, Request } from './batch.ts'
import type { BatchMarket } from './batchMarket.ts'
import { buildBatch } from './buildBatch.ts'
import { buildBatchAlong, computeSurplusAlong } from './buildBatchAlong.ts'
import { computeMaximum } from './computeMaximum.ts'
import { computeMost } from './computeMost.ts'
import { computeLeast } from './computeOrderFee.ts'
import { listPairRoutes, readKnownRoutes } from './listPairRoutes.ts'

/** split searches of one auction: each takes some milliseconds at most */
const maxSearches = 100
const searches = new WeakMap<object, number>()

const takeSearch = (market: BatchMarket): boolean => {
  const key = readKnownRoutes(market)
  const taken = searches.get(key) ?? 0
  searches.set(key, taken + 1)
  return taken < maxSearches
}

/** a batch whose price is this close to that of an infinitesimal trade is not split: 1 / 4,000 */
const minImpact = 4_000n

/**
 * The same as `buildBatch`, with the trade split over several routes and pools, if that scores more after the gas of
 * the additional swaps.
 * @param single the best batch along one route, if there is one
 * @returns undefined when no split is better
 */
export const buildSplitBatch = (
  market: BatchMarket,
  requests: readonly Request[],
  single: Batch | undefined,
): Batch | undefined => {
  const [first] = requests
  if (!first) return undefined
  const ways = listPairRoutes(market, first.order)
  const [best] = ways
  if (!best) return undefined
  if (single) {
    const { spot } = best
    const { amountIn, amountOut } = single.rate
    if (amountOut * spot.amountIn * minImpact >= spot.amountOut * amountIn * (minImpact - 1n)) return undefined
  }
  if (!takeSearch(market)) return undefined
  const total = requests.reduce((sum, { amount }) => sum + amount, 0n)
  const strands = listStrandsAlong(ways.map(({ legs }) => legs))
  let split: Batch | undefined
  for (const set of listSplits(strands, first.order.kind, total)) {
    const batch = buildBatchAlong(market, set, requests)
    if (batch && batch.score > (split ?? single ?? { score: -1n }).score) split = batch
  }
  return split
}

/**
 * Adds a partially fillable order to a batch with the amount of the highest score, split over several routes.
 * @param base orders of the same kind and pair, with their amounts
 */
export const buildSplitBatchWith = (
  market: BatchMarket,
  base: readonly Request[],
  order: AuctionOrder,
): Batch | undefined => {
  const most = computeMost(market, base, order)
  if (!takeSearch(market)) return undefined
  const strands = listStrandsAlong(listPairRoutes(market, order).map(({ legs }) => legs))
  const total = base.reduce((sum, { amount }) => sum + amount, most)
  let split: Batch | undefined
  for (const set of listSplits(strands, order.kind, total)) {
    const least = computeLeast(market, order, set.flat())
    if (least >= most) continue
    const value = (amount: bigint) => computeSurplusAlong(market, set, [...base, { order, amount }])
    const batch = buildBatchAlong(market, set, [...base, { order, amount: computeMaximum(value, least, most) }])
    if (batch && (!split || batch.score > split.score)) split = batch
  }
  return split
}

/** `buildBatch`, split over several routes if that is better. */
export const buildBestBatch = (market: BatchMarket, requests: readonly Request[]): Batch | undefined => {
  const single = buildBatch(market, requests)
  return buildSplitBatch(market, requests, single) ?? single
}
