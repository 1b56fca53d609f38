import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'

/** The UIDs as the parameter of `uidList`. */
export const toUidText = (uids: readonly Hex[]): string => JSON.stringify(uids.map((uid) => uid.slice(2)))

/**
 * A list of UIDs as a subquery with one column `uid`, passed as one parameter; a placeholder stands for a `toUidText`.
 */
export const uidList = (uids: readonly Hex[] | Placeholder): SQL =>
  sql`(select decode(value, 'hex') as uid from jsonb_array_elements_text(${Array.isArray(uids) ? toUidText(uids) : uids}::jsonb))`
