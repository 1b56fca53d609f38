import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Batch } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { noRoute } from '../routing/swapRoute.ts'
import { readRingMembers } from './readRingMembers.ts'
import { type RingMember, settleRing } from './settleRing.ts'

/** rounds of lowering amounts until all limits hold; each member usually needs one */
const maxRounds = 32

/**
 * Trades the orders of a ring with each other, without any pool: each owner receives what the next one sells.
 *
 *     owner 1 sells A and buys B,  owner 2 sells B and buys C,  owner 3 sells C and buys A
 *     received(i) = given(i + 1);  given(i) ≤ ⌊received(i) · sellAmount(i) / buyAmount(i)⌋ − fee(i)
 *
 * The largest amounts within all limits are found by lowering them in turn. An owner who demands more than the auction's
 * prices reduces the score by giving more; so every set of owners is also tried that give only what the owner before
 * demands. Any amounts have prices: given(i) · price(i) is the same for all tokens.
 * @param orders in the order of the ring
 * @returns undefined when no amounts satisfy all limits, or an owner lacks tokens
 */
export const buildRing = (market: BatchMarket, orders: readonly AuctionOrder[]): Batch | undefined => {
  const members = readRingMembers(market, orders)
  const most = members && findMost(members)
  if (!most) return undefined
  const sets = 2 ** members.length - 1
  let best: Batch | undefined
  for (let set = 0; set < sets; set += 1) {
    const given = lower(members, most, (i) => (set >> i) % 2 === 1)
    const received = given?.map((_, i) => given[(i + 1) % given.length] as bigint)
    const ring = given && received && settleRing(market, members, given, received, noRoute)
    if (ring && (!best || ring.score > best.score)) best = ring
  }
  return best
}

/** Largest amounts given by each owner that satisfy all limits. */
const findMost = (members: readonly RingMember[]): bigint[] | undefined => {
  const given = members.map(({ most }) => most)
  for (let round = 0; round < maxRounds; round += 1) {
    let isStable = true
    for (let i = members.length - 1; i >= 0; i -= 1) {
      const { order, fee, isFixed } = members[i] as RingMember
      const received = given[(i + 1) % members.length] as bigint
      const limit = (received * order.sellAmount) / order.buyAmount - fee
      if ((given[i] as bigint) <= limit) continue
      if (limit <= 0n || isFixed) return undefined
      given[i] = limit
      isStable = false
    }
    if (isStable) return given
  }
  return undefined
}

/**
 * Lowers the amounts of some owners to what the owner before demands.
 * @param isLow of the member with this index; not all are
 * @returns undefined when one of them gives a fixed amount
 */
const lower = (
  members: readonly RingMember[],
  most: readonly bigint[],
  isLow: (index: number) => boolean,
): bigint[] | undefined => {
  const given = [...most]
  // the first of several follows an owner with the largest amount
  const start = members.findIndex((_, i) => !isLow(i))
  for (let step = 1; step < members.length; step += 1) {
    const i = (start + step) % members.length
    if (!isLow(i)) continue
    const before = members.at(i - 1) as RingMember
    if (members[i]?.isFixed) return undefined
    const { sellAmount, buyAmount } = before.order
    const owed = (given.at(i - 1) as bigint) + before.fee
    given[i] = (owed * buyAmount + sellAmount - 1n) / sellAmount
  }
  return given
}
