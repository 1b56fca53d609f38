import { and, eq, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { tokens } from '../../tables/markets/tokens.ts'

export type StoredToken = typeof tokens.$inferSelect

/** Stores metadata read from tokens. The first stored row stays. */
export const insertTokens = async (database: Database, rows: StoredToken[]): Promise<void> => {
  if (rows.length > 0) await database.insert(tokens).values(rows).onConflictDoNothing()
}

/** Stored tokens among these, in any order. */
export const selectTokens = async (
  database: Database,
  wanted: readonly { chainId: number; address: Address }[],
): Promise<StoredToken[]> => {
  if (wanted.length === 0) return []
  const list = JSON.stringify(wanted.map(({ chainId, address }) => ({ chainId, address: address.slice(2) })))
  const requested = sql`jsonb_to_recordset(${list}::jsonb) as requested("chainId" integer, address text)`
  return database
    .select({ chainId: tokens.chainId, address: tokens.address, decimals: tokens.decimals, symbol: tokens.symbol })
    .from(tokens)
    .innerJoin(
      requested,
      and(eq(tokens.chainId, sql`requested."chainId"`), eq(tokens.address, sql`decode(requested.address, 'hex')`)),
    )
}
