import { type SQL, sql } from 'drizzle-orm'

/** A parameter as `timestamptz`. */
export const toTime = (now: Date): SQL => sql`${now.toISOString()}::timestamptz`
