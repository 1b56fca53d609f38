import { type SQL, sql } from 'drizzle-orm'

/** A time as Unix seconds. */
export const inSeconds = (time: SQL): SQL => sql`extract(epoch from ${time})::float8`

/** The time of `inSeconds`. */
export const toDate = (seconds: string): Date => new Date(Number(seconds) * 1_000)
