import type { Address } from 'viem'
import { toAuctionPrice } from '#shared/amounts/toAuctionPrice.ts'
import { SolverError } from '#shared/solvers/askSolver.ts'
import { findNativePrice } from '#shared/solvers/findNativePrice.ts'
import type { ClockDeps } from './clockDeps.ts'
import { mapBounded } from './mapBounded.ts'
import { runStep } from './runStep.ts'

/** Native prices (wei per atom, undefined: solvers have no route) and when they were asked for, Unix milliseconds. */
export type PriceCache = Map<Address, { price: number | undefined; askedAt: number; refreshing: boolean }>

export type PriceDeps = Pick<ClockDeps, 'network' | 'solvers' | 'now' | 'priceMaxAgeMs' | 'log' | 'background'>

/** Longest wait for one price. */
const timeoutMs = 2_000
/** Solvers are asked for this many tokens at once. */
const concurrentTokens = 8
/** A price serves this many times its usual age while it is asked again, or while no solver answers. */
const graceFactor = 10

/**
 * Auction prices (wei per 10¹⁸ atoms) of the tokens that have one. Only a token that is new is waited for: an ageing price
 * is refreshed in the background, and outlives an outage of the solvers for a while, so that neither a slow solver nor
 * a silent one holds up auctions or throws orders out of them.
 */
export const findPrices = async (
  deps: PriceDeps,
  cache: PriceCache,
  tokens: Iterable<Address>,
): Promise<ReadonlyMap<Address, bigint>> => {
  const wanted = [...new Set(tokens)]
  forgetOld(deps, cache)
  const unknown = wanted.filter((token) => !cache.has(token))
  await mapBounded(unknown, concurrentTokens, (token) => refreshPrice(deps, cache, token))
  const ageing = wanted.filter((token) => isAgeing(deps, cache, token))
  const refresh = () => mapBounded(ageing, concurrentTokens, (token) => refreshPrice(deps, cache, token))
  if (ageing.length > 0) deps.background(runStep(deps, 'prices', refresh))
  const prices = new Map<Address, bigint>()
  for (const token of wanted) {
    const price = cache.get(token)?.price
    const auctionPrice = price === undefined ? undefined : toAuctionPrice(price)
    if (auctionPrice !== undefined) prices.set(token, auctionPrice)
  }
  return prices
}

const isAgeing = ({ now, priceMaxAgeMs }: PriceDeps, cache: PriceCache, token: Address): boolean => {
  const entry = cache.get(token)
  return entry !== undefined && !entry.refreshing && now() - entry.askedAt >= priceMaxAgeMs
}

const refreshPrice = async (deps: PriceDeps, cache: PriceCache, token: Address): Promise<void> => {
  const askedAt = deps.now()
  const known = cache.get(token)
  if (known) known.refreshing = true
  try {
    cache.set(token, { price: await findNativePrice(deps, token, timeoutMs), askedAt, refreshing: false })
  } catch (error) {
    if (known) known.refreshing = false
    if (!(error instanceof SolverError)) throw error
    deps.log({ message: 'no native price', token, kind: error.kind, cause: error.message })
  }
}

const forgetOld = ({ now, priceMaxAgeMs }: PriceDeps, cache: PriceCache): void => {
  for (const [token, { askedAt }] of cache) {
    if (now() - askedAt >= graceFactor * priceMaxAgeMs) cache.delete(token)
  }
}
