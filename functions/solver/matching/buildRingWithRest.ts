import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { type Batch, computeMost } from '../batches/buildBatch.ts'
import { computeOrderFee } from '../batches/computeOrderFee.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeSwapGas } from '../routing/computeGas.ts'
import { computeRoute, type SwapRoute } from '../routing/computeRoute.ts'
import { type RingMember, settleRing } from './buildRing.ts'

/** A rest of a ring: what an owner gives beyond the ring is sold to pools for what another owner receives. */
export interface RingRest {
  /** index of the owner whose tokens are sold to the pools */
  from: number
  /** index of the owner who gives the token that the pools give, too */
  to: number
  legs: readonly Leg[]
}

/** parts of partially fillable amounts */
const parts = 4n
/** rounds of lowering amounts until all limits hold; each finds a rest */
const maxRounds = 8

/**
 * Trades the sell orders of a ring with each other, and the rest of some of them with the pools: amounts that do not
 * close exactly.
 *
 *     owner 1 sells A and buys B,  owner 2 sells B and buys C,  owner 3 sells C and buys A
 *     a rest n of A is sold for C:  received(3) = given(1) − n,  received(2) = given(3) + out(n)
 *
 * There is one rest for which all tokens have one price each, so that given(i) · price(i) = received(i) · price(i + 1):
 *     (given(from) − n) · out(n) = given(to) · n
 * It is the price of the pools, too. The orders give their whole amounts; partially fillable ones are lowered to their
 * limits, and quarters of them are tried as well. The owner whose tokens are sold to the pools pays for the swaps.
 * @param orders in the order of the ring, all of them sell orders
 * @returns undefined when no amounts satisfy all limits, or an owner lacks tokens
 */
export const buildRingWithRest = (
  market: BatchMarket,
  orders: readonly AuctionOrder[],
  rest: RingRest,
): Batch | undefined => {
  const members = readSellers(market, orders, rest)
  if (!members) return undefined
  const shares = members.some(({ isFixed }) => !isFixed) ? [parts, 3n, 2n, 1n] : [parts]
  let best: Batch | undefined
  for (const share of shares) {
    const batch = settlePart(market, members, rest, share)
    if (batch && (!best || batch.score > best.score)) best = batch
  }
  return best
}

/** @param share of the partially fillable amounts, in `parts` */
const settlePart = (
  market: BatchMarket,
  members: readonly RingMember[],
  rest: RingRest,
  share: bigint,
): Batch | undefined => {
  const given = members.map(({ most, isFixed }) => (isFixed ? most : (most * share) / parts))
  for (let round = 0; round < maxRounds; round += 1) {
    const route = findRest(market, given, rest)
    if (!route) return undefined
    const received = computeReceived(given, rest, route)
    let isStable = true
    for (const [i, { order, fee, isFixed }] of members.entries()) {
      const limit = ((received[i] as bigint) * order.sellAmount) / order.buyAmount - fee
      if ((given[i] as bigint) <= limit) continue
      if (limit <= 0n || isFixed) return undefined
      given[i] = limit
      isStable = false
    }
    if (isStable) return settleRing(market, members, given, received, route)
  }
  return undefined
}

const readSellers = (
  market: BatchMarket,
  orders: readonly AuctionOrder[],
  { from, legs }: RingRest,
): RingMember[] | undefined => {
  const members: RingMember[] = []
  for (const [i, order] of orders.entries()) {
    const amount = computeMost(market, [], order)
    const fee = computeOrderFee(market, order, i === from ? computeSwapGas(legs) : 0n, amount)
    if (order.kind !== 'sell' || fee === undefined || amount <= fee) return undefined
    members.push({ order, fee, most: amount - fee, isFixed: !order.partiallyFillable })
  }
  return members
}

/** What each owner receives, atoms. */
const computeReceived = (
  given: readonly bigint[],
  { from, to }: RingRest,
  { amountIn, amountOut }: SwapRoute,
): bigint[] =>
  given.map((_, i) => {
    const next = (i + 1) % given.length
    return (given[next] as bigint) - (next === from ? amountIn : 0n) + (next === to ? amountOut : 0n)
  })

/** The largest rest that the pools buy at the ring's price or a better one. */
const findRest = (
  market: BatchMarket,
  given: readonly bigint[],
  { from, to, legs }: RingRest,
): SwapRoute | undefined => {
  const [larger, smaller] = [given[from] as bigint, given[to] as bigint]
  let [low, high] = [0n, larger]
  let best: SwapRoute | undefined
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    const route = computeRoute(legs, 'sell', middle, market.tolerance)
    if (route && (larger - middle) * route.amountOut >= smaller * middle) [low, best] = [middle, route]
    else high = middle
  }
  return best
}
