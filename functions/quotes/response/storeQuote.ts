import type { Database } from '#schema/client.ts'
import { insertQuote } from '#schema/queries/quotes/quotes.ts'
import type { Network } from '#shared/networks.ts'
import type { Quote } from '../amounts/buildQuote.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import { buildNewQuote } from './buildNewQuote.ts'

export type StoreQuoteDeps = {
  database: Database
  network: Network
  now: () => number
}

/** Stores a quote until orders can no longer refer to it. */
export const storeQuote = async (
  deps: StoreQuoteDeps,
  prepared: PreparedRequest,
  quote: Quote,
): Promise<{ id: number; expiration: Date }> => {
  const row = buildNewQuote(deps, prepared, quote)
  return { id: await insertQuote(deps.database, row), expiration: row.expiresAt }
}
