import type { Address, Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { forgetOldest } from '#shared/forgetOldest.ts'
import { computeExecuted } from '#shared/orders/computeRemaining.ts'

/** Blocks that an order has its place before it rests. */
const blocksOfPlace = 5
/** The longest rest, in places: 160 blocks. */
const longestRest = 32
/** A price better for the order by this factor than in all of its places ends its rest. */
const betterPrice = 1.01
/** A limit further from the market than this factor is not expected to be solved, so its place does not count. */
const nearMarket = 1.01
/** Blocks after its newest place for which an order is remembered: it has ended, or the book is no longer full. */
const rememberedBlocks = 1_000

/** An order that had a place in a full book and is in no solution. */
type Place = Pick<Candidate['order'], 'sellToken' | 'buyToken'> & {
  /** block of its newest place */
  from: number
  /** number of its places; 0 once the market has reached its limit, until its next place */
  times: number
  executed: bigint
  /** buy token atoms per sell token atom */
  limit: number
  /** best price during its places, buy token atoms per sell token atom; 0 without native prices */
  price: number
}

/** Native prices, wei per atom. */
type Prices = ReadonlyMap<Address, { price: number | undefined }>

export type Places = {
  /** The orders without a solution, for the limit of a cut; `tried` have their place. */
  list: (block: number, prices: Prices) => { tried: Hex[]; resting: Hex[] }
  /** Remembers the candidates of a full cut. */
  note: (candidates: readonly Candidate[], block: number, prices: Prices) => void
}

/**
 * Places of a full book that brought no solution. An order near the market has a place for `blocksOfPlace` blocks,
 * behind the orders that had none; then it rests for as long, after another place twice as long, and so on. A solution
 * or a fill makes it new again, and so does the market when it reaches a limit that was beyond it in all of its places.
 * A better price than in all of its places ends its rest; a price that swings does neither, nor does a new signature.
 * Places are memory: with a new clock all orders are new, and the cut still ranks them by what they could pay.
 * @param capacity number of remembered orders; those whose newest place is the longest ago are forgotten
 */
export const createPlaces = (capacity: () => number): Places => {
  const places = new Map<Hex, Place>()
  const noteOne = ({ order, inFlight, newestLabel }: Candidate, block: number, prices: Prices): void => {
    const { uid, sellToken, buyToken } = order
    const executed = computeExecuted(order)
    const limit = Number(order.buyAmount) / Number(order.sellAmount)
    const isSolved = inFlight || newestLabel === 'executing' || newestLabel === 'considered'
    if (isSolved || places.get(uid)?.executed !== executed) places.delete(uid)
    const price = findPrice(order, prices)
    if (isSolved || (price > 0 && limit > price * nearMarket)) return
    const known = places.get(uid)
    const { times = 0, from = block, price: best = 0 } = known ?? {}
    if (known && times > 0 && isResting(known, block)) return
    if (known && times > 0 && block < from + blocksOfPlace) {
      known.price = Math.max(best, price)
      return
    }
    places.delete(uid)
    const place = { sellToken, buyToken, executed, limit, price: Math.max(best, price) }
    places.set(uid, { ...place, from: block, times: times + 1 })
  }
  return {
    list: (block, prices) => {
      const tried: Hex[] = []
      const resting: Hex[] = []
      for (const [uid, place] of places) {
        const price = findPrice(place, prices)
        if (place.price < place.limit && price >= place.limit) Object.assign(place, { price, times: 0 })
        const isOld = block > place.from + rememberedBlocks
        if (isOld) places.delete(uid)
        if (isOld || place.times === 0) continue
        if (place.price > 0 && price > place.price * betterPrice) Object.assign(place, { price, from: block })
        if (isResting(place, block)) resting.push(uid)
        else tried.push(uid)
      }
      return { tried, resting }
    },
    note: (candidates, block, prices) => {
      for (const candidate of candidates) noteOne(candidate, block, prices)
      forgetOldest(places, capacity())
    },
  }
}

const isResting = ({ from, times }: Place, block: number): boolean =>
  block >= from + blocksOfPlace && block < from + blocksOfPlace * (1 + Math.min(2 ** (times - 1), longestRest))

const findPrice = ({ sellToken, buyToken }: Pick<Place, 'sellToken' | 'buyToken'>, prices: Prices): number =>
  (prices.get(sellToken)?.price ?? 0) / (prices.get(buyToken)?.price || Number.POSITIVE_INFINITY)
