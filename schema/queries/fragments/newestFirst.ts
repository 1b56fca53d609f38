import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/**
 * Descending like the indexes (`.desc()` of drizzle-kit makes `DESC NULLS LAST`): a plain `desc` means nulls first, and
 * Postgres would sort instead of walking the index.
 */
export const newestFirst = (column: PgColumn): SQL => sql`${column} desc nulls last`
