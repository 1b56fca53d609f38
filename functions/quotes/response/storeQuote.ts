import type { NewQuote } from '#schema/queries/quotes/quotes.ts'
import type { Network } from '#shared/networks.ts'
import type { Quote } from '../amounts/buildQuote.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import { buildNewQuote } from './buildNewQuote.ts'

export type StoreQuoteDeps = {
  network: Network
  now: () => number
  /** keeps a quote that an order may refer to; resolves to its id */
  insertQuote: (quote: NewQuote) => Promise<number>
}

/** Keeps a quote for as long as an order may refer to it. */
export const storeQuote = async (
  deps: StoreQuoteDeps,
  prepared: PreparedRequest,
  quote: Quote,
): Promise<{ id: number; expiration: Date }> => {
  const row = buildNewQuote(deps, prepared, quote)
  return { id: await deps.insertQuote(row), expiration: row.expiresAt }
}
