import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { nativeSentinel } from '#shared/networks.ts'
import type { Database } from '../../client.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { windowStart } from './networkStatistics.ts'

/** Pairs at most. */
const maxPairs = 50

/** A pair with trades in the last 24 hours; the first token has the lower address, the native token is the wrapped one. */
export type PairTotals = {
  first: Address
  second: Address
  trades: number
  /** wei */
  volume: bigint
  /** US dollars for a whole token; null without a sample of the last hour, or of the hour around the start of the day */
  prices: Record<'first' | 'second' | 'firstBefore' | 'secondBefore', number | null>
}

/**
 * Pairs by their volume in the last 24 hours. Volume counts at proven prices, so tokens of strangers have none and no
 * place. Reads the trades of a day, so not for every request.
 */
export const selectPairTotals = async (
  database: Database,
  { chainId, wrappedNative }: { chainId: number; wrappedNative: Address },
): Promise<PairTotals[]> => {
  const toBytes = (address: Address): SQL => sql`decode(${address.slice(2)}, 'hex')`
  const traded = (column: SQL): SQL =>
    sql`case when ${column} = ${toBytes(nativeSentinel)} then ${toBytes(wrappedNative)} else ${column} end`
  const priceOf = (token: SQL, since: SQL, until: SQL): SQL => sql`(
    select price from price_samples where chain_id = ${chainId} and token = ${token}
      and sampled_at >= now() - ${since} and sampled_at <= now() - ${until} order by sampled_at desc limit 1)`
  const nowPrice = (token: SQL) => priceOf(token, sql`interval '1 hour'`, sql`interval '0'`)
  const dayBefore = (token: SQL) => priceOf(token, sql`interval '25 hours'`, sql`interval '23 hours'`)
  const { rows } = await database.execute<PairTotals & { first: string; second: string; volume: string }>(sql`
    select '0x' || encode(first, 'hex') as first, '0x' || encode(second, 'hex') as second, trades, volume::text as volume,
      json_build_object('first', ${nowPrice(sql`first`)}, 'second', ${nowPrice(sql`second`)},
        'firstBefore', ${dayBefore(sql`first`)}, 'secondBefore', ${dayBefore(sql`second`)}) as prices
    from (
      select least(sold, bought) as first, greatest(sold, bought) as second, count(*)::integer as trades, sum(volume) as volume
      from (
        select ${traded(sql`sell_token`)} as sold, ${traded(sql`buy_token`)} as bought, volume from ${tradeValues}
        where chain_id = ${chainId} and settled_at >= ${windowStart.day}) as traded
      group by 1, 2 having sum(volume) > 0 order by sum(volume) desc limit ${maxPairs}) as pairs
    order by pairs.volume desc`)
  return rows.map((row) => ({ ...row, volume: BigInt(row.volume) }))
}
