import type { Hex } from 'viem'
import type { ListedOrder } from '#schema/queries/auctions/auctions.ts'
import type { KnownCandidate } from '#schema/queries/auctions/candidate.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import type { BookDeps } from './bookDeps.ts'
import { type Certainty, computeCertainty } from './computeCertainty.ts'
import { computeFeePolicies } from './computeFeePolicies.ts'
import { toAuctionOrder } from './toAuctionOrder.ts'
import { toQuotedAmounts } from './toQuotedAmounts.ts'

/** An order of an auction in its form for solvers. */
export type Listing = {
  candidate: KnownCandidate
  certainty: Certainty
  /** in the order of application */
  policies: readonly FeePolicy[]
  /** its UID and JSON text; the same object while the text is the same */
  listed: ListedOrder
  /** changes with the text or the certainty, and with nothing else */
  serial: number
}

/** Listings of the newest cut by UID, and the fee rules in force that they were written with. */
export type ListingCache = { listings: ReadonlyMap<Hex, Listing>; rules: string; serial: number }

export const createListingCache = (): ListingCache => ({ listings: new Map(), rules: '', serial: 0 })

/**
 * Writes the orders of an auction for solvers: fee policies and JSON text. Most orders are those of the previous cut, and
 * an order is written again only when it was read again, its certainty changed, or a fee rule began or ended.
 * @param now Unix seconds
 */
export const listOrders = (
  { feeRules, network }: Pick<BookDeps, 'feeRules' | 'network'>,
  cache: ListingCache,
  solvable: readonly KnownCandidate[],
  now: number,
): ReadonlyMap<Hex, Listing> => {
  const rules = feeRules.policies.map(({ from, until }) => Number(from <= now && now < until)).join()
  const known = rules === cache.rules ? cache.listings : new Map<Hex, Listing>()
  const write = (candidate: KnownCandidate, certainty: Certainty): Listing => {
    const quoted = toQuotedAmounts(candidate)
    const policies = computeFeePolicies(feeRules, candidate.order, quoted, { ...network, now })
    const body = JSON.stringify(toAuctionOrder(candidate, policies))
    const earlier = cache.listings.get(candidate.order.uid)
    const isSame = earlier?.listed.body === body && earlier.certainty === certainty
    // the same text twice would double the memory
    if (isSame) return { ...earlier, candidate, policies }
    cache.serial += 1
    return { candidate, certainty, policies, listed: { uid: candidate.order.uid, body }, serial: cache.serial }
  }
  const listings = new Map<Hex, Listing>()
  for (const candidate of solvable) {
    const { uid } = candidate.order
    const certainty = computeCertainty(candidate)
    const earlier = known.get(uid)
    const isCurrent = earlier?.candidate.order === candidate.order && earlier.certainty === certainty
    listings.set(uid, isCurrent ? earlier : write(candidate, certainty))
  }
  cache.listings = listings
  cache.rules = rules
  return listings
}
