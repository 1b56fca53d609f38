import type { Address } from 'viem'
import type { Network } from '#shared/networks.ts'
import { toAbsence } from '../toAbsence.ts'
import type { PriceSource } from './priceSource.ts'

/** Combined result of all sources: no source knows the token, sources failed, or prices disagree. */
export type UsdPrice =
  | { status: 'price'; price: number; source: string }
  | { status: 'unknown' }
  | { status: 'unavailable'; sources: Record<string, string> }
  | { status: 'disputed'; prices: Record<string, number> }

export type FindUsdPriceDeps = {
  /** the most trusted one first */
  sources: readonly PriceSource[]
  /** two prices agree when the larger is at most this much above the smaller */
  maxDeviationBps: number
  /** undefined when the node fails; never rejects */
  isToken: (network: Network, token: Address) => Promise<boolean | undefined>
}

type Priced = { source: string; price: number }

/**
 * Finds the price of a token from the first source that has one, in the sequence of `sources`. All are queried
 * concurrently, and later sources verify the first. A price that another source contradicts counts only when a third
 * one agrees with it; nothing is averaged, because the mean of a right and a wrong price is wrong. No source is queried
 * for an address that is not a token, because clients can make up addresses for free, while some sources charge per
 * request.
 */
export const findUsdPrice = async (
  { sources, maxDeviationBps, isToken }: FindUsdPriceDeps,
  network: Network,
  token: Address,
): Promise<UsdPrice> => {
  if ((await isToken(network, token)) === false) return { status: 'unknown' }
  const outcomes = await Promise.all(
    sources.map(async ({ name, findPrice }) => [name, await findPrice(network, token)] as const),
  )
  const prices = outcomes.flatMap(([source, outcome]) =>
    outcome.status === 'price' ? [{ source, price: outcome.price }] : [],
  )
  if (prices.length === 0) return toAbsence(outcomes)
  const agree = (a: Priced, b: Priced): boolean =>
    Math.max(a.price, b.price) * 10_000 <= Math.min(a.price, b.price) * (10_000 + maxDeviationBps)
  const isSupported = (candidate: Priced): boolean =>
    2 * prices.filter((other) => agree(candidate, other)).length > prices.length
  const chosen = prices.find(isSupported)
  if (chosen) return { status: 'price', ...chosen }
  return { status: 'disputed', prices: Object.fromEntries(prices.map(({ source, price }) => [source, price])) }
}
