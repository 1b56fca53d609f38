import { bigint, integer, pgTable } from 'drizzle-orm/pg-core'

/**
 * Progress of the copies in `carried_trades`, one row for each network with its own database, in both databases. Only
 * the indexer lowers `block`, in its transaction, and counts that in `undone`. A copy states the count it was read
 * with: `undone` of the shared database only grows, so a late copy of undone blocks is refused.
 */
export const tradeCarries = pgTable('trade_carries', {
  chainId: integer('chain_id').primaryKey(),
  /** trades up to this block are copied; -1: none */
  block: bigint('block', { mode: 'number' }).notNull().default(-1),
  /** reorganisations; in the shared database those that the copies contain */
  undone: bigint('undone', { mode: 'number' }).notNull().default(0),
})
