import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { orderUid, transactionId } from './columns.ts'
import { orderEventLabel } from './enums.ts'

/**
 * The single log of what happened to orders, in the order of `id`. `key` names the transition, so that a step that runs
 * twice writes it once; `blockNumber` says which block a reorganisation would have to undo it with.
 */
export const orderEvents = pgTable(
  'order_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    chainId: integer('chain_id').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    key: text('key').notNull(),
    label: orderEventLabel('label').notNull(),
    /** why an order was filtered or is invalid, or that it took over an unsigned one; null otherwise */
    reason: text('reason'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    auctionId: bigint('auction_id', { mode: 'number' }),
    blockNumber: bigint('block_number', { mode: 'number' }),
    /** the numbers behind the transition */
    data: jsonb('data'),
    /** the transaction that wrote it: ids of others that are not committed yet may be lower */
    writtenBy: transactionId('written_by').notNull().default(sql`pg_current_xact_id()`),
  },
  (t) => [
    uniqueIndex('order_events_once').on(t.chainId, t.orderUid, t.key),
    index('order_events_select_order_events').on(t.chainId, t.orderUid, t.id),
    index('order_events_select_new_events').on(t.chainId, t.writtenBy, t.id),
    index('order_events_delete_from_block').on(t.chainId, t.blockNumber),
  ],
)
