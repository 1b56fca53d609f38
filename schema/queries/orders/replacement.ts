import { and, desc, eq, inArray, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { solutionOrders } from '../../tables/auctions/solutions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { isCancellable } from '../fragments/isCancellable.ts'
import { type OrderState, statusColumns } from '../fragments/statusColumns.ts'
import type { OrSql } from '../fragments/toParam.ts'

/** Number of newest competitions whose solutions protect an order from replacement. */
const activeCompetitions = 5

/** An order that replaces another one. */
export type Replacement = {
  /** UID of the order to be replaced */
  uid: Hex
  /** Unix seconds */
  now: number
}

/** The order to be replaced, read from its locked row. */
export type ReplacedOrder = OrderState & {
  owner: Address
  /** newest of the last competitions in which a solution had the order */
  activeAuctionId: number | null
}

/** Locks the order to be replaced until the end of the transaction. */
export const lockReplaced = (database: Database, chainId: number | SQLWrapper, uid: Hex | SQLWrapper) =>
  database
    .select({
      ...statusColumns,
      owner: orders.owner,
      activeAuctionId: sql<number | null>`${selectActiveAuction(database, chainId, uid)}`.mapWith(orders.quoteId),
    })
    .from(orders)
    .where(and(eq(orders.chainId, chainId), eq(orders.uid, uid)))
    .for('update')

/** The order can be replaced by an order of this owner. */
export const canReplace = (
  database: Database,
  { chainId, owner, uid, now }: OrSql<Replacement & { chainId: number; owner: Address }>,
): SQL =>
  sql`exists ${database
    .select({ uid: orders.uid })
    .from(orders)
    .where(
      and(
        eq(orders.chainId, chainId),
        eq(orders.uid, uid),
        eq(orders.owner, owner),
        isCancellable(now),
        not(sql`exists ${selectActiveAuction(database, chainId, uid)}`),
      ),
    )}`

const selectActiveAuction = (database: Database, chainId: number | SQLWrapper, uid: Hex | SQLWrapper) => {
  const newest = database
    .select({ id: auctions.id })
    .from(auctions)
    .where(eq(auctions.chainId, chainId))
    .orderBy(desc(auctions.id))
    .limit(activeCompetitions)
  return database
    .select({ auctionId: solutionOrders.auctionId })
    .from(solutionOrders)
    .where(
      and(
        eq(solutionOrders.chainId, chainId),
        eq(solutionOrders.orderUid, uid),
        inArray(solutionOrders.auctionId, newest),
      ),
    )
    .orderBy(desc(solutionOrders.auctionId))
    .limit(1)
}
