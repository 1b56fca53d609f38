import type { Address } from 'viem'
import { compareDescending } from '#shared/amounts/compareDescending.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Batch } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { listPairRoutes } from '../batches/listPairRoutes.ts'
import { buildRing } from './buildRing.ts'
import { buildRingWithRest } from './buildRingWithRest.ts'
import { createToDirection, findBestBatches, isFair } from './directedPairs.ts'
import { listRings } from './listRings.ts'
import type { RingRest } from './ringRest.ts'

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
  return rings.sort((a, b) => compareDescending(a.score, b.score)).slice(0, maxProposed)
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
