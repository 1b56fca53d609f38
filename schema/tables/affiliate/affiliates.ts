import { doublePrecision, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { address, bytes, hash } from '../columns.ts'

/** A referral code, bound to one wallet for good, with the program's terms at its registration. */
export const affiliates = pgTable('affiliates', {
  walletAddress: address('wallet_address').primaryKey(),
  code: text('code').notNull().unique('affiliates_code'),
  /** the wallet's signature of the code */
  signedMessage: bytes('signed_message').notNull(),
  /**
   * signed digest, unique: the same signature can be written in other bytes (any ECDSA signature, many contract
   * signatures), but its digest stays
   */
  signedMessageHash: hash('signed_message_hash').notNull().unique('affiliates_signed_message'),
  /** set by the operator: later trades earn nothing; null: active */
  disabledAt: timestamp('disabled_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  /** US dollars per reached `triggerVolume` */
  rewardAmount: doublePrecision('reward_amount').notNull(),
  /** US dollars of volume */
  triggerVolume: doublePrecision('trigger_volume').notNull(),
  /** days for which a trader's volume counts */
  timeCapDays: integer('time_cap_days').notNull(),
  /** US dollars of volume counted per trader; 0: no limit */
  volumeCap: doublePrecision('volume_cap').notNull(),
  /** shares of the reward in percent, in total 100 */
  revenueSplitAffiliatePct: doublePrecision('revenue_split_affiliate_pct').notNull(),
  revenueSplitTraderPct: doublePrecision('revenue_split_trader_pct').notNull(),
  revenueSplitDaoPct: doublePrecision('revenue_split_dao_pct').notNull(),
})
