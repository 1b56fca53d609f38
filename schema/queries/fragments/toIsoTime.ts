import { type SQL, sql } from 'drizzle-orm'

/** A time as ISO 8601 text in UTC, to the second. */
export const toIsoTime = (time: SQL): SQL => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
