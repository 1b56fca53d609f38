import { sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { toChunks } from '#shared/toChunks.ts'
import type { Database } from '../../client.ts'
import { orderPlacements } from '../../tables/chain/orderPlacements.ts'
import { orders } from '../../tables/orders/orders.ts'
import { canPlaceOver, takeoverAssignments } from '../orders/takeover.ts'
import { deleteStaleCopies } from '../quotes/quoteCopies.ts'
import { insertCancellations, insertRefunds, type OnchainOrderEvents } from './insertContractEvents.ts'
import { insertQuotes } from './insertQuotes.ts'

/** Rows of one statement: an order has about forty columns, a statement at most 65,535 parameters. */
const maxRows = 1_000

/**
 * Adds placements, invalidations and refunds by contracts; `recomputeOrders` then updates the orders. A contract can
 * end and refund only orders that it owns or placed. A row that was first posted over the API becomes the order placed
 * on-chain, with its scheme, signature and quote, when `canPlaceOver` holds; no other placement changes it.
 */
export const insertOnchainOrders = (
  database: Database,
  chainId: number,
  { placements, placedOrders, cancellations, refunds }: OnchainOrderEvents,
): BatchItem<'pg'>[] => [
  ...inChunks(placements, (rows) =>
    database
      .insert(orderPlacements)
      .values(rows.map((row) => ({ chainId, ...row })))
      .onConflictDoNothing(),
  ),
  ...inChunks(placedOrders, (rows) => insertPlacedOrders(database, chainId, rows)),
  ...inChunks(placedOrders, (rows) => insertQuotes(database, chainId, rows)),
  ...inChunks(placedOrders, (rows) =>
    deleteStaleCopies(
      database,
      chainId,
      rows.map(({ uid }) => uid),
    ),
  ),
  ...inChunks(cancellations, (rows) => insertCancellations(database, chainId, rows)),
  ...inChunks(refunds, (rows) => insertRefunds(database, chainId, rows)),
]

const inChunks = <Row>(rows: readonly Row[], insert: (rows: Row[]) => BatchItem<'pg'>): BatchItem<'pg'>[] =>
  toChunks(rows, maxRows).map(insert)

const insertPlacedOrders = (database: Database, chainId: number, rows: OnchainOrderEvents['placedOrders']) =>
  database.execute(sql`
    ${database
      .insert(orders)
      .values(rows.map((row) => ({ chainId, ...row })))
      .getSQL()}
    on conflict (chain_id, uid) do update set ${takeoverAssignments} where ${canPlaceOver}`)
