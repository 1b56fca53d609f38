import { sql } from 'drizzle-orm'
import { check, integer, numeric, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import { address, hash } from '../columns.ts'
import { affiliateRole } from '../enums.ts'

/**
 * A transfer that paid a reward to a wallet. Written by the operator; the statistics compute the rewards due, payment
 * happens elsewhere.
 */
export const affiliatePayouts = pgTable(
  'affiliate_payouts',
  {
    walletAddress: address('wallet_address').notNull(),
    /** reason of the payment: the referred traders, or own trades */
    role: affiliateRole('role').notNull(),
    chainId: integer('chain_id').notNull(),
    transactionHash: hash('transaction_hash').notNull(),
    /** US dollars */
    amount: numeric('amount', { precision: 20, scale: 6 }).notNull(),
    paidAt: timestamp('paid_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.walletAddress, t.role, t.chainId, t.transactionHash] }),
    check('affiliate_payouts_amount', sql`${t.amount} > 0`),
  ],
)
