import { and, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'
import { uidList } from '../fragments/uidList.ts'

/** UIDs of these orders that were placed with this order book; excludes just-in-time orders. */
export const selectListedUids = (database: Database, chainId: number, uids: readonly Hex[]): Promise<Set<Hex>> =>
  selectUids(database, chainId, uids, isNull(orders.jitBlock))

/** UIDs of these orders that were cancelled, off-chain or on-chain. */
export const selectCancelledUids = (database: Database, chainId: number, uids: readonly Hex[]): Promise<Set<Hex>> =>
  selectUids(database, chainId, uids, isCancelled)

export const isCancelled = or(isNotNull(orders.cancelledAt), orders.invalidated)

const selectUids = async (
  database: Database,
  chainId: number,
  uids: readonly Hex[],
  condition: SQL | undefined,
): Promise<Set<Hex>> => {
  if (uids.length === 0) return new Set()
  const rows = await database
    .select({ uid: orders.uid })
    .from(orders)
    .where(and(eq(orders.chainId, chainId), sql`${orders.uid} in ${uidList(uids)}`, condition))
  return new Set(rows.map(({ uid }) => uid))
}
