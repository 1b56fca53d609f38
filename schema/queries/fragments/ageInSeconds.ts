import { type SQL, sql } from 'drizzle-orm'

/** Never below zero for any clock; null of null, unlike `greatest`. */
export const ageInSeconds = (time: SQL): SQL =>
  sql`case when ${time} > now() then 0 else round(extract(epoch from now() - ${time})) end`
