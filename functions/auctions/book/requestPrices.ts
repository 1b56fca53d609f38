import type { Address } from 'viem'
import { describeError } from '#shared/http/describeError.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { isRefusal, isRefusedByAll } from '#shared/solvers/collectResponses.ts'
import { requestNativePrice } from '#shared/solvers/requestNativePrice.ts'
import { SolverError } from '#shared/solvers/requestSolver.ts'
import type { BookDeps } from './bookDeps.ts'

/** Known native price of a token; times are Unix milliseconds. */
type KnownPrice = {
  /** wei per atom, the median of `recent`; undefined: solvers have no route, or none has responded yet */
  price: number | undefined
  /** the newest confirmed prices, or the first one that was found; oldest first */
  recent: readonly number[]
  /** whether the newest confirmed price has depth (`NativePrice`) */
  isDeep: boolean
  /** time of the request */
  requestedAt: number
  /** earliest time of the next request */
  nextAt: number
  /** whether a request is in flight */
  inFlight: boolean
}

/** Cached native prices, including tokens without one, so that they are not requested in every auction. */
export type PriceCache = Map<Address, KnownPrice>

export type AuctionPriceDeps = Pick<BookDeps, 'network' | 'solvers' | 'now' | 'log' | 'background'>

/** Age at which a price is requested again. */
export const priceMaxAgeMs = 30_000
/** Maximum wait for one price, and for all new tokens of an auction together. */
export const priceTimeoutMs = 2_000
/** Number of concurrent price requests. */
const concurrentTokens = 8

/** Prices whose median counts: a market that is moved for less than two minutes moves no price. */
const maxRecent = 9

/** Retry delay while solvers do not respond; for a token without a price it doubles up to `priceMaxAgeMs`. */
const retryMs = 5_000

/** A price requested in the future is due, because the system time was moved back. */
export const isPriceDue = ({ now }: AuctionPriceDeps, known: KnownPrice | undefined): boolean =>
  known !== undefined && !known.inFlight && (now() >= known.nextAt || now() < known.requestedAt)

/**
 * Requests prices in the background.
 * @returns undefined without tokens
 */
export const requestPrices = (
  deps: AuctionPriceDeps,
  cache: PriceCache,
  tokens: readonly Address[],
): Promise<unknown> | undefined => {
  if (tokens.length === 0) return undefined
  for (const token of tokens) {
    const known = cache.get(token) ?? {
      price: undefined,
      recent: [],
      isDeep: false,
      requestedAt: deps.now(),
      nextAt: 0,
    }
    cache.set(token, { ...known, inFlight: true })
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
  const requestedAt = deps.now()
  const earlier = cache.get(token)?.price
  const earlierPrices = { recall: () => earlier, find: async () => earlier, remember: () => undefined }
  try {
    const response = await requestNativePrice({ ...deps, earlierPrices }, token, priceTimeoutMs)
    const found = response.price === undefined ? undefined : response
    if (response.price === undefined && !isRefusedByAll(response.failures)) {
      const silent = response.failures.find(({ error }) => !isRefusal(error))
      throw silent?.error ?? new SolverError('Unreachable', 'every solver is paused')
    }
    const known = cache.get(token)
    if (known?.price !== undefined && !found?.isConfirmed) {
      deps.log({ message: 'native price not confirmed', token, known: known.price, found: found?.price ?? null })
      const nextAt = requestedAt + (found ? priceMaxAgeMs : retryMs)
      cache.set(token, { ...known, nextAt, inFlight: false })
    } else {
      const recent = found ? [...(known?.recent ?? []), found.price].slice(-maxRecent) : []
      const nextAt = requestedAt + priceMaxAgeMs
      cache.set(token, {
        price: computeMedian(recent),
        recent,
        isDeep: found?.isDeep ?? false,
        requestedAt,
        nextAt,
        inFlight: false,
      })
    }
  } catch (error) {
    const kind = error instanceof SolverError ? error.kind : 'Unknown'
    deps.log({ message: 'no native price', token, kind, cause: describeError(error) })
    const known = cache.get(token) ?? { price: undefined, recent: [], isDeep: false, requestedAt, nextAt: requestedAt }
    if (known.price === undefined) {
      const delay = Math.max(retryMs, Math.min(2 * (known.nextAt - known.requestedAt), priceMaxAgeMs))
      cache.set(token, { ...known, requestedAt, nextAt: requestedAt + delay, inFlight: false })
    } else cache.set(token, { ...known, nextAt: requestedAt + retryMs, inFlight: false })
  }
}

/** The lower one of the two in the middle. */
const computeMedian = (prices: readonly number[]): number | undefined =>
  prices.toSorted((a, b) => a - b)[Math.floor((prices.length - 1) / 2)]
