import type { Address } from 'viem'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import type { Batch } from '../batches/buildBatch.ts'
import { compareLimitPrices } from '../batches/buildBatches.ts'
import { listPairRoutes } from '../batches/listPairRoutes.ts'
import { wrapToken } from '../batches/wrapToken.ts'
import { buildRing } from './buildRing.ts'
import { buildRingWithRest, type RingRest } from './buildRingWithRest.ts'
import { createToDirection, findBestBatches, isFair } from './directedPairs.ts'

/** tokens of the longest ring */
const maxTokens = 4
/** orders per directed pair that are tried, those with the most generous limits */
const maxOrders = 2
/** orders that are appended to the beginning of a ring during the search; each takes some microseconds */
const maxSteps = 20_000
/** rings that are computed; each takes up to a tenth of a millisecond */
const maxRings = 500
/** rests of rings that are computed; each takes about a millisecond */
const maxRests = 150
/** routes of a rest, those with the best prices */
const maxWays = 2
/** rings that are simulated if the better ones revert */
const maxProposed = 5

/**
 * Builds the rings of three and four orders, best score first: each owner receives what the next one sells, without any
 * pool, or with one rest that is sold to pools (`buildRingWithRest`). Rings of two are the matches of `buildMatches`.
 * Rings that are unfair to a directed pair are dropped.
 * @param batches from `buildBatches`, of the same orders
 */
export const buildRings = (
  market: BatchMarket,
  orders: readonly AuctionOrder[],
  batches: readonly Batch[],
  wrappedNative: Address,
): Batch[] => {
  const toDirection = createToDirection(wrappedNative)
  const best = findBestBatches(batches, toDirection)
  const rings: Batch[] = []
  let count = 0
  let rests = 0
  for (const ring of listRings(orders, wrappedNative, toDirection)) {
    count += 1
    if (count > maxRings) break
    const found = [buildRing(market, ring)]
    for (const rest of listRests(market, ring)) {
      rests += 1
      if (rests > maxRests) break
      found.push(buildRingWithRest(market, ring, rest))
    }
    for (const batch of found) if (batch && isFair(batch, best, toDirection)) rings.push(batch)
  }
  return rings.sort((a, b) => (a.score < b.score ? 1 : a.score > b.score ? -1 : 0)).slice(0, maxProposed)
}

/** From each token of a ring of sell orders to each other one, along the best routes. */
function* listRests(market: BatchMarket, ring: readonly AuctionOrder[]): Generator<RingRest> {
  if (ring.some(({ kind }) => kind !== 'sell')) return
  for (const [from, { sellToken }] of ring.entries()) {
    for (const [to, { sellToken: buyToken }] of ring.entries()) {
      if (from === to) continue
      for (const { legs } of listPairRoutes(market, { sellToken, buyToken }).slice(0, maxWays)) yield { from, to, legs }
    }
  }
}

/** Each ring once, from its lowest token on, if the limits of its orders agree. */
function* listRings(
  orders: readonly AuctionOrder[],
  wrappedNative: Address,
  toDirection: (order: AuctionOrder) => string,
): Generator<AuctionOrder[]> {
  const wrap = (token: Address) => wrapToken(token, wrappedNative)
  const generous = [...Map.groupBy(orders, toDirection).values()].flatMap((same) =>
    same.toSorted(compareLimitPrices).slice(0, maxOrders),
  )
  const selling = Map.groupBy(generous, ({ sellToken }) => wrap(sellToken))
  let steps = 0
  function* extend(ring: readonly AuctionOrder[], from: Address): Generator<AuctionOrder[]> {
    const last = ring.at(-1)
    for (const order of selling.get(last ? wrap(last.buyToken) : from) ?? []) {
      steps += 1
      if (steps > maxSteps) return
      const next = [...ring, order]
      const bought = wrap(order.buyToken)
      if (bought === from) {
        if (next.length > 2 && limitsAgree(next)) yield next
      } else if (
        bought > from &&
        next.length < maxTokens &&
        !next.some(({ sellToken }) => wrap(sellToken) === bought)
      ) {
        yield* extend(next, from)
      }
    }
  }
  for (const token of [...selling.keys()].sort()) yield* extend([], token)
}

/** Whether one atom sold around the ring buys back at least itself at the orders' limits, without fees. */
const limitsAgree = (ring: readonly AuctionOrder[]): boolean =>
  ring.reduce((product, { buyAmount }) => product * buyAmount, 1n) <=
  ring.reduce((product, { sellAmount }) => product * sellAmount, 1n)
