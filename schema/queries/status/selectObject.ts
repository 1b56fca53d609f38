import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'

/** Runs a query for one JSON object. */
export const selectObject = async <T>(database: Database, object: SQL): Promise<T> => {
  const { rows } = await database.execute<{ object: T }>(sql`select ${object} as object`)
  const [row] = rows
  if (!row) throw new Error('a status without a row')
  return row.object
}
