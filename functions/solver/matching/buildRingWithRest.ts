import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Batch } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { computeMost } from '../batches/computeMost.ts'
import { computeOrderFee } from '../batches/computeOrderFee.ts'
import { computeSwapGas } from '../routing/computeGas.ts'
import { computeReceived, findRest, type RingRest } from './ringRest.ts'
import { type RingMember, settleRing } from './settleRing.ts'

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
