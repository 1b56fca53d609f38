import { type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'

/** A list of UIDs as a subquery with one column `uid`, passed as one parameter. */
export const uidList = (uids: readonly Hex[]): SQL =>
  sql`(select decode(value, 'hex') as uid from jsonb_array_elements_text(${JSON.stringify(uids.map((uid) => uid.slice(2)))}::jsonb))`
