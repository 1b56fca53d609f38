import { sql } from 'drizzle-orm'
import type { Database } from '#schema/client.ts'

/** Empties every table; sequences continue. */
export const emptyDatabase = async (database: Database): Promise<void> => {
  const { rows } = await database.execute<{ tables: string }>(
    sql`select string_agg(quote_ident(tablename), ', ') as tables from pg_tables where schemaname = 'public'`,
  )
  if (rows[0]) await database.execute(sql.raw(`truncate ${rows[0].tables}`))
}
