import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Batch, Request } from './batch.ts'
import type { BatchMarket } from './batchMarket.ts'
import { buildBatchAlong, computeSurplusAlong } from './buildBatchAlong.ts'
import { canMeetLimit } from './canMeetLimit.ts'
import { computeMaximum } from './computeMaximum.ts'
import { computeMost } from './computeMost.ts'
import { computeRestCost } from './computeOrderCost.ts'
import { computeLeast } from './computeOrderFee.ts'
import { listPairRoutes, type RouteCandidate } from './listPairRoutes.ts'

/** maximum number of routes for which amounts are searched: those with the best prices */
const maxSizedWays = 3

/**
 * Trades orders of the same directed pair and kind together.
 *
 * The orders' amounts form one trade with the pools, in → out, and all orders trade at its price out / in, the uniform
 * clearing price. Each order also pays its network fee, F sell token atoms, as if it were settled alone; the savings of
 * sharing and rounding remainders stay in the settlement contract. Protocol fees are taken from the result
 * (`chargeProtocolFees`).
 *     sell of S:  in = Σ(S − F);  executedSell = S,                  executedBuy = ⌊(S − F) · out / in⌋
 *     buy of Y:   out = ΣY;       executedSell = ⌊Y · in / out⌋ + F, executedBuy = Y
 * A single order receives the exact output of the route. With several buy orders, each F of at least one atom covers
 * the atom lost by rounding.
 *
 * The route with the highest score is chosen: routes with more swaps have a higher fee, so the score is net of gas.
 * @returns undefined when no route fills every order within its limit and its owner's funds
 */
export const buildBatch = (market: BatchMarket, requests: readonly Request[]): Batch | undefined => {
  const [first] = requests
  return first && pickBest(listPairRoutes(market, first.order), ({ legs }) => buildBatchAlong(market, [legs], requests))
}

/**
 * Adds an order to a batch with the amount of the highest score: all of a fill-or-kill order; of a partially fillable
 * one at most its owner's funds, and at most the amount at which the marginal price reaches the order's limit. The rest
 * waits for deeper pools. A part is taken instead of the whole only when it gains more than the settlement of its rest
 * costs: otherwise a rest too small for its gas would stay open.
 * @param base orders of the same kind and pair, with their amounts
 * @param sized whether to search the amount of a partially fillable order; otherwise it is filled completely or not at
 *   all
 */
export const buildBatchWith = (
  market: BatchMarket,
  base: readonly Request[],
  order: AuctionOrder,
  sized: boolean,
): Batch | undefined => {
  const most = computeMost(market, base, order)
  const whole = buildBatch(market, [...base, { order, amount: most }])
  if (!order.partiallyFillable || !sized) return whole
  const part = pickBest(
    listPairRoutes(market, order)
      .filter(({ spot }) => canMeetLimit(order, spot))
      .slice(0, maxSizedWays),
    ({ legs }) => {
      const least = computeLeast(market, order, legs)
      if (least >= most) return undefined
      const value = (amount: bigint) => computeSurplusAlong(market, [legs], [...base, { order, amount }])
      return buildBatchAlong(market, [legs], [...base, { order, amount: computeMaximum(value, least, most) }])
    },
  )
  if (!whole || !part) return whole ?? part
  return part.score > whole.score + computeRestCost(market, order) ? part : whole
}

const pickBest = (
  ways: readonly RouteCandidate[],
  build: (way: RouteCandidate) => Batch | undefined,
): Batch | undefined => {
  let best: Batch | undefined
  for (const way of ways) {
    const batch = build(way)
    if (batch && (!best || batch.score > best.score)) best = batch
  }
  return best
}
