import type { BatchItem } from 'drizzle-orm/batch'
import type { Database } from '../../client.ts'

/** Runs statements without results in one transaction and one round trip. */
export const runBatch = async (database: Database, statements: BatchItem<'pg'>[]): Promise<void> => {
  const [first, ...others] = statements
  if (first) await database.batch([first, ...others])
}
