import { minOf } from '#shared/amounts/minMax.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { type Batch, computeMost, isFunded } from '../batches/buildBatch.ts'
import { buildFill, type OrderFill } from '../batches/buildFill.ts'
import { computeOrderFee } from '../batches/computeOrderFee.ts'
import type { SwapRoute } from '../routing/computeRoute.ts'

/** An order of a ring and its bounds, atoms. */
export interface RingMember {
  order: AuctionOrder
  /** network fee, sell token */
  fee: bigint
  /** maximum amount given to the next owner, without the fee: that of a sell order, or what a buy order there needs */
  most: bigint
  /** the amount of `most` or nothing, because of this order or of the one that receives it */
  isFixed: boolean
}

const noRoute: SwapRoute = { hops: [], amountIn: 0n, amountOut: 0n }

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
  const members = readMembers(market, orders)
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

const readMembers = (market: BatchMarket, orders: readonly AuctionOrder[]): RingMember[] | undefined => {
  const trades = orders.map((order) => {
    const amount = computeMost(market, [], order)
    return { order, amount, fee: computeOrderFee(market, order, 0n, amount) }
  })
  const members: RingMember[] = []
  for (const [i, { order, amount, fee }] of trades.entries()) {
    const before = trades.at(i - 1)
    if (fee === undefined || !before) return undefined
    const isNeeded = before.order.kind === 'buy'
    const own = order.kind === 'sell' ? amount - fee : undefined
    const most = isNeeded ? minOf(before.amount, own ?? before.amount) : (own ?? order.sellAmount)
    const isOwnFixed = order.kind === 'sell' && !order.partiallyFillable
    const isNeedFixed = isNeeded && !before.order.partiallyFillable
    if (most <= 0n || (isOwnFixed && most !== own) || (isNeedFixed && most !== before.amount)) return undefined
    members.push({ order, fee, most, isFixed: isOwnFixed || isNeedFixed })
  }
  return members
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

/**
 * Fills the orders of a ring.
 * @param given by each owner without the fee, atoms
 * @param received by each owner, atoms
 * @param route of a rest
 * @returns undefined when an order is below its limit, or an owner lacks tokens
 */
export const settleRing = (
  market: BatchMarket,
  members: readonly RingMember[],
  given: readonly bigint[],
  received: readonly bigint[],
  route: SwapRoute,
): Batch | undefined => {
  const fills: OrderFill[] = []
  const pairs: Pick<Batch, 'sellToken' | 'buyToken' | 'rate'>[] = []
  for (const [i, { order, fee }] of members.entries()) {
    const [amountIn, amountOut] = [given[i] as bigint, received[i] as bigint]
    // a part pays its part of a signed fee
    const part = order.kind === 'sell' ? amountIn : amountOut
    if (amountIn <= 0n || computeOrderFee(market, order, 0n, part) === undefined) return undefined
    const buyPrice = market.prices.get(order.buyToken)
    const gross = { executedSell: amountIn + fee, executedBuy: amountOut }
    const fill = buyPrice && buildFill(order, gross, fee, buyPrice)
    if (!fill) return undefined
    fills.push(fill)
    pairs.push({ sellToken: order.sellToken, buyToken: order.buyToken, rate: { amountIn, amountOut } })
  }
  const [first, ...others] = pairs.slice(0, -1)
  if (!first || !isFunded(market, fills)) return undefined
  const score = fills.reduce((sum, fill) => sum + fill.score, 0n)
  return { ...first, ring: others, fills, route, tolerance: market.tolerance, score }
}
