import type { Address } from 'viem'
import { toAuctionPrice } from '#shared/amounts/toAuctionPrice.ts'
import { describeError } from '#shared/http/describeError.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { SolverError } from '#shared/solvers/askSolver.ts'
import { findNativePrice } from '#shared/solvers/findNativePrice.ts'
import type { ClockDeps } from '../clockDeps.ts'

/** What is known of a token's native price; times are Unix milliseconds. */
type KnownPrice = {
  /** wei per atom; undefined: solvers have no route, or none has answered yet */
  price: number | undefined
  /** when that was asked for */
  askedAt: number
  /** solvers are not asked again before */
  nextAt: number
  /** they are being asked */
  asking: boolean
}

/** Native prices, and tokens that have none: those too are not asked for in every auction. */
export type PriceCache = Map<Address, KnownPrice>

export type PriceDeps = Pick<ClockDeps, 'network' | 'solvers' | 'now' | 'priceMaxAgeMs' | 'log' | 'background'>

/** Longest wait for one price, and longest time that all new tokens together hold up an auction. */
const timeoutMs = 2_000
/** Solvers are asked for this many tokens at once. */
const concurrentTokens = 8
/** A price serves this many times its usual age while it is asked again, or while no answer confirms it. */
const graceFactor = 10
/** After silence solvers are asked again this soon. */
const retryMs = 5_000

/**
 * Auction prices (wei per 10¹⁸ atoms) of the tokens that have one. Only tokens that are new are waited for, all of them
 * together no longer than one may take: an ageing price is refreshed in the background, and outlives an outage of the solvers
 * for a while, so that neither a slow solver, nor a silent one, nor a flood of tokens without a market holds up auctions or
 * throws orders out of them. A new token that comes too late is there for the next auction.
 */
export const findPrices = async (
  deps: PriceDeps,
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

/** A price that was asked for in the future is due: the clock was put back. */
const isDue = ({ now }: PriceDeps, known: KnownPrice | undefined): boolean =>
  known !== undefined && !known.asking && (now() >= known.nextAt || now() < known.askedAt)

/** @returns undefined when there is nothing to ask */
const startAsking = (deps: PriceDeps, cache: PriceCache, tokens: readonly Address[]): Promise<unknown> | undefined => {
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
 * A known price is replaced only by a confirmed one: while the other solvers fail, one that says anything, or that there
 * is no route, must not decide which orders are in the auctions. Never throws: what it cannot find out is one line of the log.
 */
const refreshPrice = async (deps: PriceDeps, cache: PriceCache, token: Address): Promise<void> => {
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

const forgetOld = ({ now, priceMaxAgeMs }: PriceDeps, cache: PriceCache): void => {
  for (const [token, { askedAt }] of cache) {
    if (now() - askedAt >= graceFactor * priceMaxAgeMs) cache.delete(token)
  }
}
