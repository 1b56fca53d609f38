import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { prepared } from '../../neon/prepared.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { newestFirst } from '../fragments/newestFirst.ts'

/** A quote to be stored. */
export type NewQuote = typeof quotes.$inferInsert

/** Columns that a quote may lack. */
const absent = { offeredSellAmount: null, offeredBuyAmount: null, elapsedMs: null, createdAt: null }

/**
 * Stores a quote until it expires.
 * @returns its id, to which an order may refer
 */
export const insertQuote = async (database: Database, quote: NewQuote): Promise<number> => {
  const [row] = await runInsert(database, { ...absent, ...quote })
  if (!row) throw new Error('the database returned no id for a quote')
  return row.id
}

const { id: _id, createdAt, ...givenColumns } = getTableColumns(quotes)

const runInsert = prepared((database, given) => {
  const values = Object.entries(givenColumns).map(([name, column]) => [name, given(name, column)])
  return database
    .insert(quotes)
    .values({
      ...(Object.fromEntries(values) as Record<keyof typeof givenColumns, SQL>),
      createdAt: sql`coalesce(${given('createdAt', createdAt)}::timestamptz, now())`,
    })
    .returning({ id: quotes.id })
})

/** Costs of the newest quote of a pair, expired or not; undefined for a pair without quotes. */
export const selectNewestQuote = async (
  database: Database,
  { chainId, sellToken, buyToken }: { chainId: number; sellToken: Address; buyToken: Address },
): Promise<Pick<NewQuote, 'sellAmount' | 'buyAmount' | 'gasAmount' | 'sellTokenPrice'> | undefined> => {
  const [row] = await database
    .select({
      sellAmount: quotes.sellAmount,
      buyAmount: quotes.buyAmount,
      gasAmount: quotes.gasAmount,
      sellTokenPrice: quotes.sellTokenPrice,
    })
    .from(quotes)
    .where(and(eq(quotes.chainId, chainId), eq(quotes.sellToken, sellToken), eq(quotes.buyToken, buyToken)))
    .orderBy(newestFirst(quotes.expiresAt))
    .limit(1)
  return row
}

/**
 * Deletes quotes of a network from before a time, oldest first, but none that an order may still name by the database's
 * clock: that of a Worker may be wrong. Orders have copies of the quotes that they name.
 * @param limit maximum number of deleted quotes
 * @returns how many were deleted
 */
export const deleteOldQuotes = async (
  database: Database,
  chainId: number,
  createdBefore: Date,
  limit: number,
): Promise<number> => {
  const { rows } = await database.execute<{ deleted: number }>(sql`
    with old as (
      select id from ${quotes}
      where chain_id = ${chainId} and created_at < ${createdBefore.toISOString()}::timestamptz and expires_at < now()
      order by created_at limit ${limit}
    ), deleted as (
      delete from ${quotes} where chain_id = ${chainId} and id in (select id from old) returning 1
    )
    select count(*)::integer as deleted from deleted`)
  return rows[0]?.deleted ?? 0
}
