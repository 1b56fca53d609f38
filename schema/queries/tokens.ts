import type { Database } from '../client.ts'
import { tokens } from '../tables/tokens.ts'

export type KnownToken = typeof tokens.$inferSelect

/** Keeps what tokens said of themselves. The first answer stands. */
export const insertTokens = async (database: Database, rows: KnownToken[]): Promise<void> => {
  if (rows.length > 0) await database.insert(tokens).values(rows).onConflictDoNothing()
}
