import { sql } from 'drizzle-orm'
import type { affiliates } from '../../tables/affiliate/affiliates.ts'

/** The terms of an affiliate code. */
export type RewardTerms = Pick<
  typeof affiliates.$inferSelect,
  'code' | 'triggerVolume' | 'rewardAmount' | 'timeCapDays' | 'revenueSplitAffiliatePct' | 'revenueSplitTraderPct'
>

/** A row whose columns are text. */
export type Row<Columns extends string> = Record<Columns, string>

/** Columns of the terms. */
export type TermColumns =
  | 'code'
  | 'trigger_volume'
  | 'reward_amount'
  | 'time_cap_days'
  | 'revenue_split_affiliate_pct'
  | 'revenue_split_trader_pct'

/** Columns of the terms of the affiliate `a`. */
export const termColumns = sql.raw(
  [
    'code',
    'trigger_volume',
    'reward_amount',
    'time_cap_days',
    'revenue_split_affiliate_pct',
    'revenue_split_trader_pct',
  ]
    .map((column) => `a.${column}`)
    .join(', '),
)

/** The terms of a row. */
export const toTerms = (row: Row<TermColumns>): RewardTerms => ({
  code: row.code,
  triggerVolume: Number(row.trigger_volume),
  rewardAmount: Number(row.reward_amount),
  timeCapDays: Number(row.time_cap_days),
  revenueSplitAffiliatePct: Number(row.revenue_split_affiliate_pct),
  revenueSplitTraderPct: Number(row.revenue_split_trader_pct),
})
