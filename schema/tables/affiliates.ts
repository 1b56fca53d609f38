import { doublePrecision, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { address, bytes, hash } from './columns.ts'

/** A code that brings traders, bound to one wallet for good. The program's terms are those of the day it was registered. */
export const affiliates = pgTable('affiliates', {
  walletAddress: address('wallet_address').primaryKey(),
  code: text('code').notNull().unique('affiliates_code'),
  /** what the wallet signed the code with */
  signedMessage: bytes('signed_message').notNull(),
  /**
   * the digest that was signed: it keeps a signature from being used twice, also when it is written in other bytes, as anybody
   * can write an ECDSA signature, and many contracts take theirs
   */
  signedMessageHash: hash('signed_message_hash').notNull().unique('affiliates_signed_message'),
  /** since when it brings nobody anything any more, set by the operator; null: it does */
  disabledAt: timestamp('disabled_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  /** US dollars for each `triggerVolume` that is reached */
  rewardAmount: doublePrecision('reward_amount').notNull(),
  /** US dollars of volume */
  triggerVolume: doublePrecision('trigger_volume').notNull(),
  /** days for which a trader's volume counts */
  timeCapDays: integer('time_cap_days').notNull(),
  /** US dollars of volume that count for one trader; 0: no limit */
  volumeCap: doublePrecision('volume_cap').notNull(),
  /** shares of the reward in percent, 100 together */
  revenueSplitAffiliatePct: doublePrecision('revenue_split_affiliate_pct').notNull(),
  revenueSplitTraderPct: doublePrecision('revenue_split_trader_pct').notNull(),
  revenueSplitDaoPct: doublePrecision('revenue_split_dao_pct').notNull(),
})
