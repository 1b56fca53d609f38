import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { referredHours } from '../../tables/affiliate/referredHours.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { priceSamples } from '../../tables/markets/priceSamples.ts'
import { storedBlocks } from '../chain/blocks.ts'
import { nativeOf } from './networkRows.ts'
import { anHour, tradesOfHour } from './tradesOfHour.ts'

/** Most hours that one batch adds up: after an outage of the price samples the rest follows with the next batches. */
const summedAtOnce = 50

/** Trades before this time hardly change: that of the oldest of the newest `storedBlocks` blocks. */
export const finalTime = (chainId: number): SQL => sql`(select timestamp from ${blocks} where chain_id = ${chainId}
  and number > (select max(number) - ${storedBlocks}::bigint from ${blocks} where chain_id = ${chainId})
  order by number limit 1)`

/**
 * Adds up hours whose trades and values hardly change: the oldest of the newest `storedBlocks` blocks and a price
 * sample of the native token lie after them. A deeper reorganisation removes the sums. Samples are taken in time order,
 * so that no later one is nearer to a trade.
 * @param finalAt for a network whose blocks are in another database
 */
export const sumReferredHours = (database: Database, chainId: number, finalAt: SQL = finalTime(chainId)) =>
  database.execute(sql`
    with final as (
      -- 'least' skips null: no hour is final before the first block and the first sample
      select least(
        coalesce(${finalAt}, '-infinity'),
        coalesce((select sampled_at from ${priceSamples}
          where chain_id = ${chainId} and token = ${nativeOf(chainId)}
          order by sampled_at desc limit 1), '-infinity')) as until
    ),
    ended as materialized (
      select * from ${referredHours}
      where chain_id = ${chainId} and value is null and hour <= (select until from final) - ${anHour}
      order by hour limit ${summedAtOnce}
    ),
    summed as (
      select e.trader, e.hour, e.code, e.is_registered, coalesce(sum(t.counted), 0) as value, count(t.block_number) as trades,
        count(t.counted) as valued_trades
      from ended as e left join lateral ${tradesOfHour(sql`e`)} as t on true
      group by 1, 2, 3, 4
    )
    update ${referredHours} as h set value = s.value, trades = s.trades, valued_trades = s.valued_trades
    from summed as s
    where h.trader = s.trader and h.hour = s.hour and h.chain_id = ${chainId} and h.code = s.code
      and h.is_registered = s.is_registered`)
