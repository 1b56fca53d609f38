import type { PriceReply } from '#shared/orders/verdict/priceReply.ts'
import type { PriceFacts } from '#shared/orders/verdict/verdictFacts.ts'
import type { ServiceBinding } from '#shared/settings/serviceBinding.ts'
import { type PriceQuery, requestExecutablePrice } from './requestExecutablePrice.ts'

export type FindPrice = (query: PriceQuery) => Promise<PriceFacts>

/**
 * Requests the current executable price of an order's remainder, all fees included, from the quotes Worker. Without a
 * response in time the price is unknown, which is not an error.
 */
export const findExecutablePrice =
  (worker: ServiceBinding | undefined): FindPrice =>
  async (query) =>
    worker ? toFacts(await requestExecutablePrice(worker, query)) : toFacts({ unknown: 'quotesDisabled' })

const toFacts = (reply: PriceReply): PriceFacts => {
  const notLookedUp = { sellPrice: undefined, buyPrice: undefined }
  if (!('missing' in reply)) return { ...notLookedUp, executable: reply }
  return reply.missing === 'sellToken' ? { ...notLookedUp, sellPrice: null } : { ...notLookedUp, buyPrice: null }
}
