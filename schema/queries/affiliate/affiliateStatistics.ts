import { type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { affiliatePayouts } from '../../tables/affiliate/affiliatePayouts.ts'
import { affiliates } from '../../tables/affiliate/affiliates.ts'
import { referredHours } from '../../tables/affiliate/referredHours.ts'
import { tokens } from '../../tables/markets/tokens.ts'
import { type EligibilityReason, newestReferredTrades, referredVolumes, withinCap } from './referredTrades.ts'

/** Volume and rewards are millionths of a US dollar. */
export type TraderStatistics = {
  /** the trader's code and its terms */
  affiliate: RewardTerms
  linkedSince: Date
  /** counted volume of the trader */
  volume: bigint
  paid: bigint
  computedAt: Date
}

export type AffiliateStatistics = {
  affiliate: RewardTerms
  /** counted volume of all traders of the code */
  volume: bigint
  paid: bigint
  /** bound traders within their time cap whose volume is below the volume cap */
  activeTraders: number
  /** traders with a counted trade */
  totalTraders: number
  computedAt: Date
}

type RewardTerms = Pick<
  typeof affiliates.$inferSelect,
  'code' | 'triggerVolume' | 'rewardAmount' | 'timeCapDays' | 'revenueSplitAffiliatePct' | 'revenueSplitTraderPct'
>

/** Metadata of a token; undefined until it is requested from the token. */
type TradedToken = { address: Address; details: { decimals: number; symbol: string | null } | undefined }

/** A trade with an affiliate code. */
export type ReferredTrade = {
  chainId: number
  settledAt: Date
  transactionHash: Hex
  orderUid: Hex
  sellToken: TradedToken
  buyToken: TradedToken
  /** atoms */
  sellAmount: bigint
  buyAmount: bigint
  /** US dollars; null: unknown */
  value: number | null
  countedValue: number
  referrerCode: string
  /** null when the trader has no code */
  boundCode: string | null
  isBound: boolean
  reason: EligibilityReason
}

/** Number of listed trades of a trader. */
const shownTrades = 50

type Row<Columns extends string> = Record<Columns, string>
type TermColumns =
  | 'code'
  | 'trigger_volume'
  | 'reward_amount'
  | 'time_cap_days'
  | 'revenue_split_affiliate_pct'
  | 'revenue_split_trader_pct'

const termColumns = sql.raw(
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
const inMillionths = (amount: SQL): SQL => sql`coalesce(trunc(${amount} * 1000000), 0)`
const inSeconds = (time: SQL): SQL => sql`extract(epoch from ${time})::float8`
const paidTo = (wallet: Address, role: 'affiliate' | 'trader'): SQL =>
  inMillionths(sql`(select sum(amount) from ${affiliatePayouts}
    where wallet_address = ${sql.param(wallet, affiliatePayouts.walletAddress)} and role = ${role})`)
const toBytes = (trader: Address): SQL => sql`${sql.param(trader, referredHours.trader)}::bytea`

/** @returns undefined unless the trader is bound to a code */
export const selectTraderStatistics = async (
  database: Database,
  trader: Address,
): Promise<TraderStatistics | undefined> => {
  const { rows } = await database.execute<Row<TermColumns | 'linked_since' | 'volume' | 'paid' | 'computed_at'>>(sql`
    with ${referredVolumes(sql`select ${toBytes(trader)} as trader`)}
    select ${termColumns}, ${inSeconds(sql`b.linked_since`)} as linked_since, ${inSeconds(sql`now()`)} as computed_at,
      ${inMillionths(sql`${withinCap(sql`(select sum(value) from counted)`, sql`a.volume_cap`)}`)} as volume, ${paidTo(trader, 'trader')} as paid
    from bindings b join ${affiliates} a using (code)
    where b.is_first`)
  const [row] = rows
  return (
    row && {
      affiliate: toTerms(row),
      linkedSince: toDate(row.linked_since),
      volume: BigInt(row.volume),
      paid: BigInt(row.paid),
      computedAt: toDate(row.computed_at),
    }
  )
}

/** @returns undefined for a wallet without a code */
export const selectAffiliateStatistics = async (
  database: Database,
  wallet: Address,
): Promise<AffiliateStatistics | undefined> => {
  const ofWallet = sql`a.wallet_address = ${sql.param(wallet, affiliates.walletAddress)}`
  const traders = sql`
    select distinct h.trader from ${affiliates} a join ${referredHours} h on h.code = a.code and h.is_registered
    where ${ofWallet}`
  const { rows } = await database.execute<
    Row<TermColumns | 'volume' | 'paid' | 'active_traders' | 'total_traders' | 'computed_at'>
  >(sql`
    with ${referredVolumes(traders, { which: ofWallet })},
    volumes as (select trader, sum(value) as volume from counted group by trader),
    brought as (
      select b.linked_since, ${withinCap(sql`coalesce(v.volume, 0)`, sql`a.volume_cap`)} as volume, v.trader is not null as counts
      from ${affiliates} a join bindings b on b.code = a.code and b.is_first left join volumes v on v.trader = b.trader
      where ${ofWallet}
    )
    select ${termColumns}, ${inMillionths(sql`sum(brought.volume)`)} as volume, ${paidTo(wallet, 'affiliate')} as paid,
      count(*) filter (where brought.counts) as total_traders,
      count(*) filter (where a.disabled_at is null and (a.volume_cap = 0 or brought.volume < a.volume_cap::numeric)
        and now() <= brought.linked_since + a.time_cap_days * interval '24 hours') as active_traders,
      ${inSeconds(sql`now()`)} as computed_at
    from ${affiliates} a left join brought on true
    where ${ofWallet}
    group by a.wallet_address`)
  const [row] = rows
  return (
    row && {
      affiliate: toTerms(row),
      volume: BigInt(row.volume),
      paid: BigInt(row.paid),
      activeTraders: Number(row.active_traders),
      totalTraders: Number(row.total_traders),
      computedAt: toDate(row.computed_at),
    }
  )
}

type TradeColumns =
  | 'chain_id'
  | 'settled_at'
  | 'transaction_hash'
  | 'order_uid'
  | 'sell_token'
  | 'buy_token'
  | 'sell_amount'
  | 'buy_amount'
  | 'counted_value'
  | 'referrer_code'
  | 'reason'
type NullableTradeColumns = 'value' | 'bound_code' | 'sell_decimals' | 'sell_symbol' | 'buy_decimals' | 'buy_symbol'
type TradeRow = Row<TradeColumns> & { [column in NullableTradeColumns]: string | null } & { is_bound: boolean | null }

/** Trades of a trader with a code, newest first, at most 50. */
export const selectTraderActivity = async (database: Database, trader: Address): Promise<ReferredTrade[]> => {
  const { rows } = await database.execute<TradeRow>(sql`
    with ${newestReferredTrades(toBytes(trader), shownTrades)}
    select j.chain_id, ${inSeconds(sql`j.settled_at`)} as settled_at,
      ${inHex('transaction_hash')}, ${inHex('order_uid')}, ${inHex('sell_token')}, ${inHex('buy_token')},
      j.sell_amount, j.buy_amount, j.value, j.counted_value, j.referrer_code, j.bound_code, j.is_bound, j.reason,
      sold.decimals as sell_decimals, sold.symbol as sell_symbol,
      bought.decimals as buy_decimals, bought.symbol as buy_symbol
    from judged j
    left join ${tokens} sold on sold.chain_id = j.chain_id and sold.address = j.sell_token
    left join ${tokens} bought on bought.chain_id = j.chain_id and bought.address = j.buy_token
    order by j.number desc
    limit ${shownTrades}`)
  return rows.map((row) => ({
    chainId: Number(row.chain_id),
    settledAt: toDate(row.settled_at),
    transactionHash: row.transaction_hash as Hex,
    orderUid: row.order_uid as Hex,
    sellToken: toToken(row.sell_token, row.sell_decimals, row.sell_symbol),
    buyToken: toToken(row.buy_token, row.buy_decimals, row.buy_symbol),
    sellAmount: BigInt(row.sell_amount),
    buyAmount: BigInt(row.buy_amount),
    value: row.value === null ? null : Number(row.value),
    countedValue: Number(row.counted_value),
    referrerCode: row.referrer_code,
    boundCode: row.bound_code,
    isBound: row.is_bound ?? false,
    reason: row.reason as EligibilityReason,
  }))
}

const inHex = (column: string): SQL => sql.raw(`'0x' || encode(j.${column}, 'hex') as ${column}`)

const toToken = (address: string, decimals: string | null, symbol: string | null): TradedToken => ({
  address: address as Address,
  details: decimals === null ? undefined : { decimals: Number(decimals), symbol },
})

const toDate = (seconds: string): Date => new Date(Number(seconds) * 1_000)

const toTerms = (row: Row<TermColumns>): RewardTerms => ({
  code: row.code,
  triggerVolume: Number(row.trigger_volume),
  rewardAmount: Number(row.reward_amount),
  timeCapDays: Number(row.time_cap_days),
  revenueSplitAffiliatePct: Number(row.revenue_split_affiliate_pct),
  revenueSplitTraderPct: Number(row.revenue_split_trader_pct),
})
