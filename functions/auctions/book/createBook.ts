import type { Address, Hex } from 'viem'
import { insertAuction, nextAuctionId } from '#schema/queries/auctions/auctions.ts'
import { updateAvailableBalances } from '#schema/queries/auctions/availableBalances.ts'
import type { Candidate, KnownCandidate } from '#schema/queries/auctions/candidate.ts'
import { selectCandidates } from '#schema/queries/auctions/selectCandidates.ts'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { OrderTransition } from '#schema/queries/events/orderTransitions.ts'
import { type Pauses, withoutPaused } from '#shared/pauses/pauses.ts'
import type { Auction } from '../auction.ts'
import type { BookDeps } from './bookDeps.ts'
import type { Certainty } from './computeCertainty.ts'
import { computeSpendable } from './computeSpendable.ts'
import { computeTransitions } from './computeTransitions.ts'
import { createFirstWaits } from './createFirstWaits.ts'
import { diffListedOrders } from './diffListedOrders.ts'
import { findBookLimit, type Turn } from './findBookLimit.ts'
import { type ExclusionMemory, findExclusions } from './findExclusions.ts'
import { createBalanceCache } from './funds/balanceCache.ts'
import { createListingCache, type Listing, type ListingCache, listOrders } from './listOrders.ts'
import { createPlaces, type Places } from './places.ts'

/** An auction without a solution is repeated after this time, or with the next block. */
export const auctionIntervalMs = 10_000
/** Remembered orders without a solution, in multiples of a full cut. */
const placesPerOrder = 10

/**
 * The book: which open orders an auction has, and why it has no others.
 *
 * A cut starts from the open orders in the database (`selectCandidates`) and asks, cheapest first, whether each one
 * could settle on this block: state and bans, earlier failures, signature, hooks, funds, prices (`findExclusions`, one
 * rule of the verdict each). Native prices only choose the orders whose limit is compared with an offer of solvers. The
 * others are the auction: their terms for solvers and fee policies (`listOrders`), and native prices. Each change
 * since the previous cut (entered, left, reason) is logged in the transaction that stores the auction, so an order's
 * log explains every block.
 *
 * The book remembers facts between cuts, because most orders and holdings do not change from block to block. Memory
 * saves requests: a new book makes the same cut, except that in a full book all orders are new to it (`places`).
 */
export const createBook = (deps: BookDeps): Book => {
  const memory: BookMemory = {
    candidates: new Map(),
    listed: new Map(),
    listings: createListingCache(),
    turn: { number: undefined, after: '0x', end: undefined },
    fruitless: undefined,
    places: createPlaces(() => placesPerOrder * deps.maxOrders),
    balances: createBalanceCache(),
    hookFunds: new Map(),
    prices: new Map(),
    offers: new Map(),
    firstWaits: createFirstWaits(() => deps.now()),
    signatures: new Map(),
  }
  return {
    cut: (block, waiting, pauses) =>
      cutAuction({ ...deps, pauses, solvers: withoutPaused(pauses, deps.solvers) }, memory, block, waiting),
    setAside: ({ content }) => {
      memory.fruitless = { content, at: deps.now() }
    },
  }
}

export type Book = {
  /**
   * Cuts the auction of a block: the open orders that could settle now, with native prices.
   * @param waiting orders of failed settlements: they remain listed, but enter no other auction on the block
   * @returns undefined when there is nothing to solve
   */
  cut: (block: IndexedBlock, waiting: ReadonlySet<Hex>, pauses: Pauses) => Promise<Auction | undefined>
  /** Holds no auction of the same contents before an interval has passed: solvers found nothing. */
  setAside: (auction: Pick<Auction, 'content'>) => void
}

type BookMemory = ExclusionMemory & {
  /** of the newest cut, by order UID */
  candidates: ReadonlyMap<Hex, KnownCandidate>
  /** orders of the newest auction as stored: JSON text by UID */
  listed: ReadonlyMap<Hex, string>
  listings: ListingCache
  turn: Turn
  places: Places
  /** contents and time of the newest auction without a solution */
  fruitless: { content: string; at: number } | undefined
}

const cutAuction = async (
  deps: BookDeps & { pauses: Pauses },
  memory: BookMemory,
  block: IndexedBlock,
  waiting: ReadonlySet<Hex>,
): Promise<Auction | undefined> => {
  const { network, database } = deps
  const now = Math.floor(deps.now() / 1000)
  const limit = findBookLimit(deps, memory, block)
  const { candidates, departed, crowdedOut, turnEnd, isFull } = await selectCandidates(
    database,
    network.chainId,
    now,
    deps.minValiditySeconds,
    memory.candidates,
    limit,
  )
  memory.turn.end = turnEnd
  memory.candidates = new Map(candidates.map((candidate) => [candidate.order.uid, candidate]))
  const { exclusions, undecided, prices, funds, hookFunds, availableBalances, required } = await findExclusions(
    deps,
    memory,
    block,
    candidates,
  )
  if (isFull) memory.places.note(candidates, block.number, memory.prices)
  if (availableBalances.length > 0) await updateAvailableBalances(database, network.chainId, availableBalances)
  const decided = undecided.size > 0 ? candidates.filter((candidate) => !undecided.has(candidate)) : candidates
  const solvable = decided.filter((candidate) => !exclusions.has(candidate))
  const listings = listOrders(deps, memory.listings, solvable, now)
  const competing = [...listings.values()].filter(({ candidate }) => !waiting.has(candidate.order.uid))
  const content = computeContent(block, competing)
  const listed = new Map([...listings].map(([uid, { listed }]) => [uid, listed.body]))
  // orders that left only because the auction is full
  const full = crowdedOut.map((uid): OrderTransition => ({ uid, label: 'filtered', reason: 'auction_full' }))
  const changes = {
    transitions: [...computeTransitions(decided, exclusions, prices), ...full],
    ...diffListedOrders(candidates, departed, memory.listed, listed),
  }
  const changed = Object.values(changes).some(({ length }) => length > 0)
  const idle = competing.length === 0 || isFruitless(deps, memory, content)
  if (idle && !changed) return undefined

  const id = await nextAuctionId(database)
  const priceTexts = toPriceTexts(solvable, prices, network.wrappedNative)
  await insertAuction(database, network.chainId, { id, block: block.number, prices: priceTexts, ...changes })
  memory.listed = listed
  if (idle) return undefined
  const toOrders = (entries: readonly Pick<Listing, 'candidate'>[]) =>
    new Map(entries.map(({ candidate: { order } }) => [order.uid, order]))
  const orders = toOrders(competing)
  const quotes = new Map(
    competing.flatMap(({ candidate: { order, quote } }) => (quote ? [[order.uid, quote] as const] : [])),
  )
  const feePolicies = new Map([...listings].map(([uid, { policies }]) => [uid, policies]))
  const proven = new Set([...prices.keys()].filter((token) => memory.prices.get(token)?.isDeep))
  const body = {
    orders: competing.map(({ listed }) => listed),
    prices: priceTexts,
  }
  const certainty = new Map(
    competing.flatMap(({ candidate, certainty }): [Hex, Certainty][] =>
      certainty === 'certain' ? [] : [[candidate.order.uid, certainty]],
    ),
  )
  const isWhole = competing.length === listings.size
  return {
    ...{ id, block: block.number, orders, solvable: isWhole ? orders : toOrders([...listings.values()]) },
    ...{ quotes, prices, proven, feePolicies, certainty },
    ...{ funds: computeSpendable(candidates, funds, hookFunds), required, body, content },
  }
}

const isFruitless = ({ now }: BookDeps, { fruitless }: BookMemory, content: string): boolean =>
  content === fruitless?.content && Math.abs(now() - fruitless.at) < auctionIntervalMs

/** An order's serial number changes with its executed amounts and settlement constraints too. */
const computeContent = (block: IndexedBlock, competing: readonly Listing[]): string =>
  [block.hash, ...competing.map(({ serial }) => serial)].join()

const toPriceTexts = (
  solvable: readonly Candidate[],
  prices: ReadonlyMap<Address, bigint>,
  wrappedNative: Address,
): Record<string, string> => {
  const tokens = new Set([wrappedNative, ...solvable.flatMap(({ order }) => [order.sellToken, order.buyToken])])
  return Object.fromEntries([...tokens].map((token) => [token, (prices.get(token) ?? 0n).toString()]))
}
