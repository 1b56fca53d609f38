import { bigint, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { address, orderUid } from '../columns.ts'

/**
 * Failed settlement attempts of one order by one solver since the order's last fill. A row is written in the statement
 * that closes the attempt and removed in the batch that indexes a trade of the order.
 */
export const settlementFailures = pgTable(
  'settlement_failures',
  {
    chainId: integer('chain_id').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    solver: address('solver').notNull(),
    /** all failed attempts: reverted, timed out, settled differently */
    failures: integer('failures').notNull(),
    /** `failures` after which the order waits, see `Blame` */
    reverts: integer('reverts').notNull().default(0),
    /**
     * weight of the `failures` that count against the solver: 12 for its own fault and for silence (`sentNothing`), 4 for
     * an unknown cause, and at most as much, 1 per block, when a pool was moved (`movedBlocks`)
     */
    faults: integer('faults').notNull().default(0),
    /** outcome of the newest failed attempt, as in `settlement_attempts` */
    lastOutcome: text('last_outcome').notNull(),
    /** block of the newest failure, at most the attempt's deadline */
    lastBlock: bigint('last_block', { mode: 'number' }).notNull(),
    /** the same for the newest of `reverts`; null without one */
    lastRevertBlock: bigint('last_revert_block', { mode: 'number' }),
    failedAt: timestamp('failed_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.orderUid, t.solver] })],
)
