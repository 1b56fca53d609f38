import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { isUnsigned, orders } from '../../tables/orders/orders.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { nearestPrice } from '../markets/priceSamples.ts'

/** Activity of a network in a window; wei as decimal strings. */
export type NetworkTotals = {
  orders: number
  trades: number
  /** trades whose volume is known */
  valuedTrades: number
  traders: number
  volume: string
  /** US dollars; null without a price of the native token */
  volumeUsd: number | null
  surplus: string
}

export type NetworkStatistics = Record<'day' | 'week', NetworkTotals>

/** Start of the window, by the database's clock. */
export const windowStart = { day: sql`now() - interval '1 day'`, week: sql`now() - interval '7 days'` }

/**
 * Totals of the last day and the last week. Reads the index entries of a week, so not for every request. The volume in
 * US dollars values the wei of each hour at the price of the native token sampled nearest to the middle of that hour.
 */
export const selectNetworkStatistics = async (
  database: Database,
  { chainId, wrappedNative }: { chainId: number; wrappedNative: Address },
): Promise<NetworkStatistics> => {
  const native = sql`decode(${wrappedNative.slice(2)}, 'hex')`
  const { rows } = await database.execute<{ statistics: NetworkStatistics }>(sql`
    with hours as (
      select date_trunc('hour', settled_at) as hour, settled_at >= ${windowStart.day} as is_day, count(*) as trades,
        count(volume) as valued, sum(volume) as volume, sum(surplus) as surplus
      from ${tradeValues} where chain_id = ${chainId} and settled_at >= ${windowStart.week} group by 1, 2
    ),
    priced as (
      select hours.*, volume * (${nearestPrice(chainId, native, sql`(hours.hour + interval '30 minutes')`)})::numeric / 1e18
        as usd
      from hours
    ),
    traders as (
      select trader, max(settled_at) >= ${windowStart.day} as is_day from ${tradeValues}
      where chain_id = ${chainId} and settled_at >= ${windowStart.week} group by trader
    ),
    placed as (
      select count(*) as week, count(*) filter (where created_at >= ${windowStart.day}) as day from ${orders}
      where chain_id = ${chainId} and created_at >= ${windowStart.week} and not (${isUnsigned(orders)})
    )
    select jsonb_build_object('day', ${totals(sql`day`, sql`is_day`)}, 'week', ${totals(sql`week`, sql`true`)}) as statistics`)
  const [row] = rows
  if (!row) throw new Error('statistics without a row')
  return row.statistics
}

const totals = (column: SQL, isInWindow: SQL): SQL => sql`(
  select jsonb_build_object('orders', (select ${column} from placed), 'trades', coalesce(sum(trades), 0),
    'valuedTrades', coalesce(sum(valued), 0), 'traders', (select count(*) from traders where ${isInWindow}),
    'volume', coalesce(sum(volume), 0)::text, 'volumeUsd', round(sum(usd), 2),
    'surplus', coalesce(sum(surplus), 0)::text)
  from priced where ${isInWindow})`
