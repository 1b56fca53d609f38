import { bigint, index, integer, jsonb, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import { address, hash, logPlace, uint256 } from '../columns.ts'

/** Promised and settled amounts of one order; atoms, decimal strings. */
export type Shortfall = {
  orderUid: string
  /** null: not in the solution */
  promised: { sellAmount: string; buyAmount: string } | null
  settled: { sellAmount: string; buyAmount: string }
  /** value of what the order lacks at the prices of the auction, wei, rounded up; `0` without a price */
  debt?: string
}

/**
 * One `Settlement` event, attributed to its auction and solution when it is indexed; both null for a foreign
 * settlement.
 */
export const settlements = pgTable(
  'settlements',
  {
    ...logPlace(),
    transactionHash: hash('transaction_hash').notNull(),
    /** time of the block */
    settledAt: timestamp('settled_at', { withTimezone: true }).notNull().defaultNow(),
    /** sender of the `settle` call */
    solver: address('solver').notNull(),
    /** its auction; null for a foreign settlement */
    auctionId: bigint('auction_id', { mode: 'number' }),
    solutionUid: integer('solution_uid'),
    /** orders that got less than promised, the first hundred; null without any */
    mismatch: jsonb('mismatch').$type<Shortfall[]>(),
    gasUsed: uint256('gas_used').notNull(),
    /** wei per gas unit */
    effectiveGasPrice: uint256('effective_gas_price').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('settlements_select_network_status').on(t.chainId, t.settledAt),
    index('settlements_select_by_auction').on(t.chainId, t.auctionId),
    index('settlements_select_by_transaction').on(t.chainId, t.transactionHash),
  ],
)
