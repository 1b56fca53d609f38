import type { Address } from 'viem'
import { toAuctionPrice } from '#shared/amounts/toAuctionPrice.ts'
import { describeError } from '#shared/http/describeError.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { findNativePrice } from '#shared/solvers/findNativePrice.ts'
import { SolverError } from '#shared/solvers/requestSolver.ts'
import type { ClockDeps } from '../clockDeps.ts'

/** Known native price of a token; times are Unix milliseconds. */
type KnownPrice = {
  /** wei per atom; undefined: solvers have no route, or none has responded yet */
  price: number | undefined
  /** time of the request */
  askedAt: number
  /** earliest time of the next request */
  nextAt: number
  /** whether a request is in flight */
  asking: boolean
}

/** Cached native prices, including tokens without one, so that they are not requested in every auction. */
export type PriceCache = Map<Address, KnownPrice>

export type AuctionPriceDeps = Pick<ClockDeps, 'network' | 'solvers' | 'now' | 'priceMaxAgeMs' | 'log' | 'background'>

/** Maximum wait for one price, and for all new tokens of an auction together. */
const timeoutMs = 2_000
/** Number of concurrent price requests. */
const concurrentTokens = 8
/** Multiple of the usual age for which a price is served while it is refreshed or unconfirmed. */
const graceFactor = 10
/** Retry delay after requests without a response. */
const retryMs = 5_000

/**
 * Finds auction prices (wei per 10¹⁸ atoms) of the tokens that have one. Auctions wait only for new tokens, and for all
 * of them together no longer than for one. Ageing prices are refreshed in the background and outlive an outage of the
 * solvers for some time, so that slow or silent solvers, or many tokens without a market, neither delay auctions nor
 * exclude orders. A price that arrives late is used in the next auction.
 */
export const findPrices = async (
  deps: AuctionPriceDeps,
  cache: PriceCache,
  tokens: Iterable<Address>,
): Promise<ReadonlyMap<Address, bigint>> => {
  const wanted = [...new Set(tokens)]
  forgetOld(deps, cache)
  const fresh = wanted.filter((token) => !cache.has(token))
  const ageing = wanted.filter((token) => isDue(deps, cache.get(token)))
  const [asked] = [fresh, ageing].map((list) => startAsking(deps, cache, list))
  if (asked) await waitFor(asked, timeoutMs)
  const prices = new Map<Address, bigint>()
  for (const token of wanted) {
    const price = cache.get(token)?.price
    const auctionPrice = price === undefined ? undefined : toAuctionPrice(price)
    if (auctionPrice !== undefined) prices.set(token, auctionPrice)
  }
  return prices
}

/** A price requested in the future is due, because the system time was moved back. */
const isDue = ({ now }: AuctionPriceDeps, known: KnownPrice | undefined): boolean =>
  known !== undefined && !known.asking && (now() >= known.nextAt || now() < known.askedAt)

/** @returns undefined when no request is due */
const startAsking = (
  deps: AuctionPriceDeps,
  cache: PriceCache,
  tokens: readonly Address[],
): Promise<unknown> | undefined => {
  if (tokens.length === 0) return undefined
  for (const token of tokens) {
    const known = cache.get(token) ?? { price: undefined, askedAt: deps.now(), nextAt: 0 }
    cache.set(token, { ...known, asking: true })
  }
  const work = mapBounded(tokens, concurrentTokens, (token) => refreshPrice(deps, cache, token))
  deps.background(work)
  return work
}

/**
 * Replaces a known price only by a confirmed one: while other solvers fail, a single solver must not decide by a price,
 * or by a missing route, which orders are in the auctions. Never throws: failures are logged.
 */
const refreshPrice = async (deps: AuctionPriceDeps, cache: PriceCache, token: Address): Promise<void> => {
  const askedAt = deps.now()
  const earlier = cache.get(token)?.price
  const earlierPrices = { recall: () => earlier, find: async () => earlier, remember: () => undefined }
  try {
    const found = await findNativePrice({ ...deps, earlierPrices }, token, timeoutMs)
    const known = cache.get(token)
    if (known?.price !== undefined && !found?.isConfirmed) {
      deps.log({ message: 'native price not confirmed', token, known: known.price, found: found?.price ?? null })
      cache.set(token, { ...known, nextAt: askedAt + retryMs, asking: false })
    } else {
      cache.set(token, { price: found?.price, askedAt, nextAt: askedAt + deps.priceMaxAgeMs, asking: false })
    }
  } catch (error) {
    const kind = error instanceof SolverError ? error.kind : 'Unknown'
    deps.log({ message: 'no native price', token, kind, cause: describeError(error) })
    const known = cache.get(token) ?? { price: undefined, askedAt }
    cache.set(token, { ...known, nextAt: askedAt + retryMs, asking: false })
  }
}

const waitFor = async (work: Promise<unknown>, milliseconds: number): Promise<void> => {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, milliseconds)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}

const forgetOld = ({ now, priceMaxAgeMs }: AuctionPriceDeps, cache: PriceCache): void => {
  for (const [token, { askedAt }] of cache) {
    if (now() - askedAt >= graceFactor * priceMaxAgeMs) cache.delete(token)
  }
}
