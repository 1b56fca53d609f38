import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'

/** Rejects when the database does not respond. */
export const checkDatabase = async (database: Database): Promise<void> => {
  await database.execute(sql`select 1`)
}
