import { and, eq, or, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'
import { uidList } from '../fragments/uidList.ts'

/** Calls of these orders before and after their trades; orders without any are left out. */
export const selectInteractions = (database: Database, chainId: number, uids: readonly Hex[]) =>
  database
    .select({
      uid: orders.uid,
      preInteractions: orders.preInteractions,
      postInteractions: orders.postInteractions,
    })
    .from(orders)
    .where(
      and(
        eq(orders.chainId, chainId),
        sql`${orders.uid} in ${uidList(uids)}`,
        or(sql`${orders.preInteractions} <> '[]'`, sql`${orders.postInteractions} <> '[]'`),
      ),
    )
