import { bigint, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { address } from '../columns.ts'

/** One suspension of a solver: written at its start, never changed. It ends at `until`. */
export const solverSuspensions = pgTable(
  'solver_suspensions',
  {
    chainId: integer('chain_id').notNull(),
    solver: address('solver').notNull(),
    /** newest auction won by the solver at that time: only later wins count for the next suspension */
    auctionId: bigint('auction_id', { mode: 'number' }).notNull(),
    from: timestamp('from', { withTimezone: true }).notNull(),
    until: timestamp('until', { withTimezone: true }).notNull(),
    /** kind of the failed wins; `reverted` only when all of them were */
    reason: text('reason', { enum: ['timeout', 'mismatch', 'reverted'] }).notNull(),
    /** consecutive failed wins */
    failures: integer('failures').notNull(),
    /** 1 for the first; the duration doubles with each level */
    level: integer('level').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.solver, t.auctionId] }),
    index('solver_suspensions_select_active').on(t.chainId, t.until),
  ],
)
