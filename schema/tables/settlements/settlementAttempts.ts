import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { address } from '../columns.ts'

/**
 * Whose fault a failed settlement is: what the solver alone controls, orders that fail alone at its block, or neither,
 * for example when a pool moved. `orders` are those that wait: all to blame, and those of one owner whose transaction
 * reverted without a known cause. `reason` is for people. `debt` is what a `mismatch` paid less than promised, in wei
 * at the auction's prices, as a decimal string.
 */
export type Blame = {
  party: 'solver' | 'orders' | 'none'
  orders: Hex[]
  reason: string
  debt?: string
  /** without a cause, transaction or report by the deadline: the solver yields the order, because it held it at no cost */
  sentNothing?: true
  /** reverted only behind other transactions of its block: blocks for which the solver held the orders, at least 1 */
  movedBlocks?: number
}

/** A settlement request to a winner: written before it is sent, ended by the chain or the solver. */
export const settlementAttempts = pgTable(
  'settlement_attempts',
  {
    chainId: integer('chain_id').notNull(),
    auctionId: bigint('auction_id', { mode: 'number' }).notNull(),
    solutionUid: integer('solution_uid').notNull(),
    solver: address('solver').notNull(),
    startedAt: timestamp('started_at', { withTimezone: true }).notNull().defaultNow(),
    startBlock: bigint('start_block', { mode: 'number' }).notNull(),
    deadlineBlock: bigint('deadline_block', { mode: 'number' }).notNull(),
    endedAt: timestamp('ended_at', { withTimezone: true }),
    endBlock: bigint('end_block', { mode: 'number' }),
    /** `success`, `mismatch` (settled for less than promised), `timeout` or `driver failed: …`; null while it runs */
    outcome: text('outcome'),
    /** of a failure; null until it is attributed */
    blame: jsonb('blame').$type<Blame>(),
    /** lowest block that a reorganisation replaced while it ran, or in which it had ended; null without one */
    undoneFrom: bigint('undone_from', { mode: 'number' }),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.auctionId, t.solutionUid] }),
    index('settlement_attempts_select_network_status').on(t.chainId, t.startedAt),
    index('settlement_attempts_reopen').on(t.chainId, t.endBlock),
    index('settlement_attempts_select_judged').on(t.chainId, t.solver, t.auctionId.desc(), t.solutionUid),
    index('settlement_attempts_select_debts').on(t.chainId, t.solver).where(sql`${t.outcome} = 'mismatch'`),
    index('settlement_attempts_select_running').on(t.chainId).where(sql`${t.outcome} is null`),
  ],
)
