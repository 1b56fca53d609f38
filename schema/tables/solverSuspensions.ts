import { bigint, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { address } from './columns.ts'

/** A stretch of time in which a solver is suspended: written when it begins, never changed. It ends with `until`. */
export const solverSuspensions = pgTable(
  'solver_suspensions',
  {
    chainId: integer('chain_id').notNull(),
    solver: address('solver').notNull(),
    /** newest auction that the solver had won then: only later wins are judged for the next suspension */
    auctionId: bigint('auction_id', { mode: 'number' }).notNull(),
    from: timestamp('from', { withTimezone: true }).notNull(),
    until: timestamp('until', { withTimezone: true }).notNull(),
    /** what its failed wins were; `reverted` only when all of them were */
    reason: text('reason', { enum: ['timeout', 'mismatch', 'reverted'] }).notNull(),
    /** failed wins in a row */
    failures: integer('failures').notNull(),
    /** 1 for the first one; the duration doubles with each level */
    level: integer('level').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.solver, t.auctionId] }),
    index('solver_suspensions_select_active').on(t.chainId, t.until),
  ],
)
