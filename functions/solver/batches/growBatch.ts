import { compareDescending } from '#shared/amounts/compareDescending.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { computeSwapGas } from '../routing/computeGas.ts'
import { type Batch, toRequest } from './batch.ts'
import type { BatchMarket } from './batchMarket.ts'
import { buildBatch, buildBatchWith } from './buildBatch.ts'
import { buildSplitBatch, buildSplitBatchWith } from './buildSplitBatch.ts'
import { compareLimitPrices } from './compareLimitPrices.ts'
import { computeMost } from './computeMost.ts'
import { computeRestCost } from './computeOrderCost.ts'
import { computeOrderFee } from './computeOrderFee.ts'
import { listPairRoutes, type RouteCandidate } from './listPairRoutes.ts'

/** maximum number of orders per batch: bounds a settlement to a few million gas */
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
 * Grows a batch from the orders of a directed pair and kind, starting with the best one; undefined when none can be
 * filled.
 */
export const growBatch = (market: BatchMarket, group: readonly AuctionOrder[]): Batch | undefined => {
  const orders = group
    .filter((order) => listPairRoutes(market, order).some((route) => canPay(market, order, route)))
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
    else if (sized.has(added.order)) {
      const part = buildBatchWith(market, base, added.order, true)
      if (part && part.score > best.score) best = part
    }
  }
  return best && growSplit(market, best, orders, sized)
}

/**
 * Whether an order pays its limit and its gas at the price of a route that no trade has moved. Orders that never do would
 * otherwise take the places of those that do: any number of them costs their owners nothing.
 */
const canPay = (market: BatchMarket, order: AuctionOrder, { legs, spot }: RouteCandidate): boolean => {
  const { kind, sellAmount, buyAmount } = order
  const amount = computeMost(market, [], order)
  const fee = computeOrderFee(market, order, computeSwapGas(legs), amount)
  if (fee === undefined) return false
  const { amountIn, amountOut } = spot
  return kind === 'sell'
    ? (amount - fee) * amountOut * sellAmount >= amount * amountIn * buyAmount
    : (amount * amountIn + fee * amountOut) * buyAmount <= amount * amountOut * sellAmount
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
