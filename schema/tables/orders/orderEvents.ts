import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, orderUid, transactionId } from '../columns.ts'
import { orderEventLabel } from '../enums.ts'

/**
 * The log of all events of orders and of conditional orders, in the order of `id`. `key` identifies the transition, so
 * that a repeated step writes it once; `blockNumber` is the block whose reorganisation undoes it.
 */
export const orderEvents = pgTable(
  'order_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    chainId: integer('chain_id').notNull(),
    /** of an order, 56 bytes; of a conditional order its owner and hash, 52 bytes */
    orderUid: orderUid('order_uid').notNull(),
    key: text('key').notNull(),
    label: orderEventLabel('label').notNull(),
    /** reason of a filter or an invalid order, or of the takeover of an unsigned order; null otherwise */
    reason: text('reason'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    auctionId: bigint('auction_id', { mode: 'number' }),
    blockNumber: bigint('block_number', { mode: 'number' }),
    /** numbers of the transition */
    data: jsonb('data'),
    /**
     * position of the transaction that wrote it: uncommitted transactions may hold lower ids. The database's own
     * functions compute it and continue the positions in another cluster (order_log_position in 0000_initial.sql)
     */
    writtenBy: transactionId('written_by').notNull().default(sql`order_log_position(pg_current_xact_id())`),
    /** object of the archive with this event and all earlier ones of its order; null: none of them is archived */
    archivePart: bytes('archive_part'),
  },
  (t) => [
    uniqueIndex('order_events_once').on(t.chainId, t.orderUid, t.key),
    index('order_events_select_order_events').on(t.chainId, t.orderUid, t.id),
    index('order_events_select_new_events').on(t.chainId, t.writtenBy, t.id),
    index('order_events_delete_from_block').on(t.chainId, t.blockNumber),
    index('order_events_select_archivable')
      .on(t.chainId, t.createdAt, t.id)
      .where(sql`${t.label} = 'created' and ${t.archivePart} is null`),
  ],
)
