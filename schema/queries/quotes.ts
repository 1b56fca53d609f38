import type { Database } from '../client.ts'
import { quotes } from '../tables/quotes.ts'

/** A quote about to be kept. */
export type NewQuote = typeof quotes.$inferInsert

/**
 * Keeps a quote until it expires.
 * @returns its id, to which an order may refer
 */
export const insertQuote = async (database: Database, quote: NewQuote): Promise<number> => {
  const [row] = await database.insert(quotes).values(quote).returning({ id: quotes.id })
  if (!row) throw new Error('the database returned no id for a quote')
  return row.id
}
