import { and, eq, ne, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { isUnsigned, orders, stateOf } from '../../tables/orders/orders.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { lastValidSecond } from '../fragments/lastValidSecond.ts'
import { newestFirst } from '../fragments/newestFirst.ts'
import { nearestPrice } from '../markets/priceSamples.ts'
import { isPartlyFilled } from './networkOrders.ts'

/** Orders and trades of an account that its statistics read at most, each the newest. */
export const maxCounted = 10_000

/** Wei as decimal strings; US dollars are null without a price of the native token, or without a valued trade. */
export type AccountStatistics = {
  orders: {
    open: number
    fulfilled: number
    cancelled: number
    expired: number
    presignaturePending: number
    /** of any of these states */
    partiallyFilled: number
    /** false: the account has more than `maxCounted` orders */
    isComplete: boolean
  }
  trades: {
    count: number
    /** trades whose volume is known */
    valued: number
    volume: string
    volumeUsd: number | null
    surplus: string
    surplusUsd: number | null
    /** false: the account has more than `maxCounted` trades */
    isComplete: boolean
  }
}

/**
 * Totals of an account over its newest orders and trades. Orders without a proven owner (`isUnsigned`) do not count. US
 * dollars value the wei of each hour at the price of the native token sampled nearest to the middle of that hour.
 * @param now Unix seconds
 * @param most orders and trades that count, each
 */
export const selectAccountStatistics = async (
  database: Database,
  { chainId, wrappedNative }: { chainId: number; wrappedNative: Address },
  account: Address,
  now: number,
  most = maxCounted,
): Promise<AccountStatistics> => {
  const native = sql`decode(${wrappedNative.slice(2)}, 'hex')`
  const newest = sql`order by ${newestFirst(orders.createdAt)}, ${orders.uid}`
  const ofNetwork = eq(orders.chainId, chainId)
  const isOwned = and(ofNetwork, eq(orders.owner, account), sql`not (${isUnsigned(orders)})`)
  const isPlaced = and(ofNetwork, eq(orders.onchainUser, account), ne(orders.owner, account))
  const { rows } = await database.execute<{ statistics: AccountStatistics }>(sql`
    with listed as (
      (select * from ${orders} where ${isOwned} ${newest} limit ${most + 1})
      union all (select * from ${orders} where ${isPlaced} ${newest} limit ${most + 1})
    ),
    counted as (
      select case when (${stateOf(orders)}) in ('fulfilled', 'cancelled') then (${stateOf(orders)})
          when ${lastValidSecond} < ${now} then 'expired'
          when (${stateOf(orders)}) = 'pending' then 'presignaturePending' else 'open' end as status,
        ${isPartlyFilled} as is_part
      from (select * from listed as ${orders} ${newest} limit ${most}) as ${orders}
    ),
    traded as (
      select settled_at, volume, surplus from ${tradeValues} where chain_id = ${chainId}
        and trader = ${sql.param(account, tradeValues.trader)}
      order by block_number desc, log_index desc limit ${most + 1}
    ),
    hours as (
      select date_trunc('hour', settled_at) as hour, count(*) as trades, count(volume) as valued, sum(volume) as volume,
        sum(surplus) as surplus
      from (select * from traded limit ${most}) as newest group by 1
    ),
    priced as (
      select hours.*, (${nearestPrice(chainId, native, sql`(hours.hour + interval '30 minutes')`)})::numeric / 1e18 as price
      from hours
    )
    select jsonb_build_object(
      'orders', (select jsonb_build_object('open', count(*) filter (where status = 'open'),
        'fulfilled', count(*) filter (where status = 'fulfilled'),
        'cancelled', count(*) filter (where status = 'cancelled'),
        'expired', count(*) filter (where status = 'expired'),
        'presignaturePending', count(*) filter (where status = 'presignaturePending'),
        'partiallyFilled', count(*) filter (where is_part),
        'isComplete', (select count(*) from listed) <= ${most}) from counted),
      'trades', (select jsonb_build_object('count', coalesce(sum(trades), 0), 'valued', coalesce(sum(valued), 0),
        'volume', coalesce(sum(volume), 0)::text, 'volumeUsd', round(sum(volume * price), 2),
        'surplus', coalesce(sum(surplus), 0)::text, 'surplusUsd', round(sum(surplus * price), 2),
        'isComplete', (select count(*) from traded) <= ${most}) from priced)) as statistics`)
  const [row] = rows
  if (!row) throw new Error('statistics without a row')
  return row.statistics
}
