import type { Address } from 'viem'
import { toAuctionPrice } from '#shared/amounts/toAuctionPrice.ts'
import type { FirstWaits } from './createFirstWaits.ts'
import {
  type AuctionPriceDeps,
  isPriceDue,
  type PriceCache,
  priceMaxAgeMs,
  priceTimeoutMs,
  requestPrices,
} from './requestPrices.ts'

/** Multiple of the usual age for which a price is served while it is refreshed or unconfirmed. */
const graceFactor = 10

/**
 * Finds auction prices (wei per 10¹⁸ atoms) of the tokens that have one. Auctions wait only for new tokens, and for all
 * of them together no longer than for one, and not beyond `FirstWaits`. Ageing prices are refreshed in the background and outlive an outage of the
 * solvers for some time, so that slow or silent solvers, or many tokens without a market, neither delay auctions nor
 * exclude orders. A price that arrives late is used in the next auction.
 */
export const findPrices = async (
  deps: AuctionPriceDeps,
  cache: PriceCache,
  { waitFor }: FirstWaits,
  tokens: Iterable<Address>,
): Promise<ReadonlyMap<Address, bigint>> => {
  const wanted = [...new Set(tokens)]
  forgetOld(deps, cache)
  const fresh = wanted.filter((token) => !cache.has(token))
  const ageing = wanted.filter((token) => isPriceDue(deps, cache.get(token)))
  const requested = requestPrices(deps, cache, fresh)
  void requestPrices(deps, cache, ageing)
  if (requested) await waitFor(requested, priceTimeoutMs)
  const prices = new Map<Address, bigint>()
  for (const token of wanted) {
    const price = cache.get(token)?.price
    const auctionPrice = price === undefined ? undefined : toAuctionPrice(price)
    if (auctionPrice !== undefined) prices.set(token, auctionPrice)
  }
  return prices
}

const forgetOld = ({ now }: AuctionPriceDeps, cache: PriceCache): void => {
  for (const [token, { requestedAt }] of cache) {
    if (now() - requestedAt >= graceFactor * priceMaxAgeMs) cache.delete(token)
  }
}
