import type { Address, Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { maxOf, minOf } from '#shared/amounts/minMax.ts'
import { describeError } from '#shared/http/describeError.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { wrapToken } from '#shared/networks.ts'
import { computeRemaining } from '#shared/orders/computeRemaining.ts'
import { collectResponses, isRefusal } from '#shared/solvers/collectResponses.ts'
import { type QuoteQuery, requestQuote } from '#shared/solvers/requestQuote.ts'
import { alternate } from './alternate.ts'
import type { BookDeps } from './bookDeps.ts'
import type { FirstWaits } from './createFirstWaits.ts'

/** What solvers trade an amount for, before any fee, in atoms. */
export type Offer = { sellAmount: bigint; buyAmount: bigint }

/** times are Unix milliseconds */
type KnownOffer = {
  /** the best of all solvers; undefined: no solver has a route, or none has responded yet */
  offer: (Offer & { at: number }) | undefined
  requestedAt: number | undefined
  wantedAt: number
}

/** Offers by pair, kind and amount. */
export type OfferCache = Map<string, KnownOffer>

/** Age at which an offer is requested again; a quarter of an hour later it counts no more. */
const maxAgeMs = 60_000
const graceMs = 900_000
/** An offer with fewer atoms on either side says little: each is rounded to a whole one. */
const minAtoms = 100n
/** Number of amounts that a cut requests: new ones alternate with those that have waited longest. */
export const offersPerCut = 16
const concurrentOffers = 8
/** Remembered offers; those that were wanted the longest time ago are forgotten. */
const maxOffers = 10_000
const timeoutMs = 2_000
/** Maximum wait of a cut for amounts that were never requested. */
const firstWaitMs = 1_000

/**
 * Finds what solvers offer for orders whose limit is far from the native prices: an upper bound of each order's own
 * price, from the largest power of ten that does not exceed its rest, because a larger amount never trades at a better
 * price; of a partially fillable order from a hundredth of it. So the orders of a pair share few offers, and dust
 * cannot spoil those of others. A cut requests a bounded number, in turn; an order without an offer is not judged.
 * @returns offers by order UID; `pending`: orders whose amount this cut requested for the first time, without a response yet
 */
export const findOffers = async (
  deps: Pick<BookDeps, 'network' | 'solvers' | 'now' | 'log' | 'background'>,
  cache: OfferCache,
  { waitFor }: FirstWaits,
  candidates: readonly Candidate[],
): Promise<{ offers: ReadonlyMap<Hex, Offer>; pending: ReadonlySet<Hex> }> => {
  const now = deps.now()
  const queries = new Map<string, QuoteQuery>()
  const keys = new Map<Hex, string>()
  for (const { order } of candidates) {
    const query = toQuery(order, deps.network.wrappedNative)
    const key = `${query.sellToken}:${query.buyToken}:${query.kind}:${query.amount}`
    queries.set(key, query)
    keys.set(order.uid, key)
    const known = cache.get(key) ?? { offer: undefined, requestedAt: undefined }
    // last in the order of the cache
    cache.delete(key)
    cache.set(key, { ...known, wantedAt: now })
  }
  for (const [key, { wantedAt }] of cache)
    if (Math.abs(now - wantedAt) >= graceMs || cache.size > maxOffers) cache.delete(key)
  const wanted = [...queries].map(([key, query]) => ({ key, query, requestedAt: cache.get(key)?.requestedAt }))
  const known = wanted
    .filter(({ requestedAt }) => requestedAt !== undefined && Math.abs(now - requestedAt) >= maxAgeMs)
    .toSorted((a, b) => (a.requestedAt ?? 0) - (b.requestedAt ?? 0))
  const unknown = wanted.filter(({ requestedAt }) => requestedAt === undefined)
  const due = alternate(unknown, known).slice(0, offersPerCut)
  const pendingKeys = new Set(due.flatMap(({ key, requestedAt }) => (requestedAt === undefined ? [key] : [])))
  if (due.length > 0) {
    const work = mapBounded(due, concurrentOffers, async ({ key, query }) => {
      await refreshOffer(deps, cache, key, query)
      pendingKeys.delete(key)
    })
    deps.background(work)
    if (pendingKeys.size > 0) await waitFor(work, firstWaitMs)
  }
  const pending = new Set([...keys].flatMap(([uid, key]) => (pendingKeys.has(key) ? [uid] : [])))
  const offers = new Map(
    [...keys].flatMap(([uid, key]) => {
      const offer = cache.get(key)?.offer
      const isKnown = offer && Math.abs(now - offer.at) < graceMs
      return isKnown && minOf(offer.sellAmount, offer.buyAmount) >= minAtoms ? [[uid, offer] as const] : []
    }),
  )
  return { offers, pending }
}

const toQuery = (
  order: Pick<Candidate['order'], 'sellToken' | 'buyToken' | 'kind'> & Parameters<typeof computeRemaining>[0],
  wrappedNative: Address,
): QuoteQuery => {
  const { sellToken, buyToken, kind, partiallyFillable } = order
  const rest = maxOf(computeRemaining(order) / (partiallyFillable ? 100n : 1n), 1n)
  const amount = 10n ** BigInt(rest.toString().length - 1)
  return { sellToken, buyToken: wrapToken(buyToken, wrappedNative), kind, amount }
}

/** The best offer counts: the worst that a lying solver can do is to let an order in. Never throws. */
const refreshOffer = async (
  { solvers, now, log }: Pick<BookDeps, 'solvers' | 'now' | 'log'>,
  cache: OfferCache,
  key: string,
  query: QuoteQuery,
): Promise<void> => {
  const requestedAt = now()
  const known = cache.get(key)
  if (known) cache.set(key, { ...known, requestedAt })
  try {
    const { responses, failures } = await collectResponses(solvers, (solver) =>
      requestQuote(solver, query, { now, timeoutMs }),
    )
    const [best] = responses.toSorted((a, b) => compareOffers(b, a))
    // an outage changes nothing
    if (!best && failures.some(({ error }) => !isRefusal(error))) return
    const offer = best && { sellAmount: best.sellAmount, buyAmount: best.buyAmount, at: requestedAt }
    const current = cache.get(key)
    if (current) cache.set(key, { ...current, offer })
  } catch (error) {
    log({ message: 'no offer', key, cause: describeError(error) })
  }
}

/** By bought per sold amount, exactly. */
const compareOffers = (a: Offer, b: Offer): number => {
  const difference = a.buyAmount * b.sellAmount - b.buyAmount * a.sellAmount
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
