import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { affiliates } from '../../tables/affiliate/affiliates.ts'
import { referredHours } from '../../tables/affiliate/referredHours.ts'
import { inSeconds, toDate } from './inSeconds.ts'
import { inMillionths, paidTo } from './paidTo.ts'
import { referredVolumes, withinCap } from './referredTrades.ts'
import { type RewardTerms, type Row, type TermColumns, termColumns, toTerms } from './rewardTerms.ts'
import { toTraderBytes } from './toTraderBytes.ts'

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

/** @returns undefined unless the trader is bound to a code */
export const selectTraderStatistics = async (
  database: Database,
  trader: Address,
): Promise<TraderStatistics | undefined> => {
  const { rows } = await database.execute<Row<TermColumns | 'linked_since' | 'volume' | 'paid' | 'computed_at'>>(sql`
    with ${referredVolumes(sql`select ${toTraderBytes(trader)} as trader`)}
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
      select b.linked_since, ${withinCap(sql`v.volume`, sql`a.volume_cap`)} as volume, v.trader is not null as counts
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
