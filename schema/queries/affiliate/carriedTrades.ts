import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { affiliates } from '../../tables/affiliate/affiliates.ts'
import { carriedTrades } from '../../tables/affiliate/carriedTrades.ts'
import { referredHours } from '../../tables/affiliate/referredHours.ts'
import { tradeCarries } from '../../tables/affiliate/tradeCarries.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { storedBlocks } from '../chain/blocks.ts'
import { deleteReferredHoursFrom, hourOf, mergeHours } from './referredHours.ts'
import { finalTime, sumReferredHours } from './sumReferredHours.ts'

/** A part of a network's trades, read in one snapshot of its database. */
export type TradesToCarry = {
  /** last copied block, and the number of reorganisations */
  block: number
  undone: number
  /** last block of this part */
  reach: number
  /** no later trades exist */
  isLast: boolean
  /** later trades and values may change, as text; null without blocks */
  finalAt: string | null
  /** rows of `carried_trades`, as JSON text: amounts exceed JavaScript's numbers */
  trades: string
}

/**
 * Trades that the affiliate statistics need, after the last copied block, and those of the `storedBlocks` blocks before
 * it: an order stored late adds a trade there.
 * @param limit trades after the last copied block that are read; a block is never split
 */
export const selectTradesToCarry = async (
  database: Database,
  chainId: number,
  limit: number,
): Promise<TradesToCarry> => {
  const [, { rows }] = await database.batch([
    database.insert(tradeCarries).values({ chainId }).onConflictDoNothing(),
    database.execute<
      Record<'block' | 'undone' | 'reach' | 'trades', string> & { is_last: boolean; final_at: string }
    >(sql`
      with carry as (select block, undone from ${tradeCarries} where chain_id = ${chainId}),
      page as (
        select * from ${tradeValues} where chain_id = ${chainId} and block_number > (select block from carry)
        order by block_number fetch first ${limit} rows with ties
      ),
      extent as (select count(*) < ${limit} as is_last, max(block_number) as last from page),
      listed as (
        select * from page
        union all
        select * from ${tradeValues} where chain_id = ${chainId}
          and block_number > (select block from carry) - ${storedBlocks}::bigint and block_number <= (select block from carry)
      ),
      found as (
        select v.chain_id, v.block_number, v.log_index, v.settled_at, v.trader, t.transaction_hash, t.order_uid, t.sell_token,
          t.buy_token, t.sell_amount, t.buy_amount, v.volume, v.protocol_fee, o.referrer_code, o.created_at as order_created_at
        from listed v
        join ${trades} t on t.chain_id = v.chain_id and t.block_number = v.block_number and t.log_index = v.log_index
        join ${orders} o on o.chain_id = t.chain_id and o.uid = t.order_uid
        where o.referrer_code is not null or not exists (
          select 1 from ${tradeValues} e where e.chain_id = v.chain_id and e.trader = v.trader
            and (e.block_number, e.log_index) < (v.block_number, v.log_index))
      )
      select carry.block, carry.undone, extent.is_last,
        case when extent.is_last
          then greatest(carry.block, extent.last, (select max(number) from ${blocks} where chain_id = ${chainId}))
          else extent.last end as reach,
        ${finalTime(chainId)}::text as final_at,
        (select coalesce(jsonb_agg(to_jsonb(found)), '[]')::text from found) as trades
      from carry cross join extent`),
  ])
  const [row] = rows
  if (!row) throw new Error(`trade_carries has no row of network ${chainId}`)
  return {
    ...{ block: Number(row.block), undone: Number(row.undone), reach: Number(row.reach) },
    ...{ isLast: row.is_last, finalAt: row.final_at, trades: row.trades },
  }
}

/**
 * Copies trades into the database of the affiliate program and adds them to the hours of their traders. Repetitions
 * change nothing. The first copy after a reorganisation removes the undone trades; one read before it, which arrives
 * later, is refused.
 * @throws Error when the copies are of a later state of the network's database, for example after a restore
 */
export const insertCarriedTrades = async (database: Database, chainId: number, part: TradesToCarry): Promise<void> => {
  const { block, undone, reach } = part
  const carryWhere = (condition: SQL): SQL => sql`exists (
    select 1 from ${tradeCarries} c where c.chain_id = ${chainId} and ${condition})`
  const isFirstCopy = carryWhere(sql`c.undone < ${undone}`)
  const results = await database.batch([
    // locks the row: copies of one network wait for each other
    database.execute(sql`
      insert into ${tradeCarries} as c (chain_id, block, undone) values (${chainId}, -1, ${undone})
      on conflict (chain_id) do update set undone = c.undone`),
    database.execute(sql`
      delete from ${carriedTrades} where chain_id = ${chainId} and block_number > ${block} and ${isFirstCopy}`),
    deleteReferredHoursFrom(database, chainId, block + 1, isFirstCopy),
    database.execute(sql`
      update ${tradeCarries} as c
      set undone = ${undone}, block = case when c.undone < ${undone} then ${reach}::bigint else greatest(c.block, ${reach}::bigint) end
      where c.chain_id = ${chainId} and c.undone <= ${undone}`),
    database.execute(sql`
      with added as (
        insert into ${carriedTrades}
        select r.* from jsonb_populate_recordset(null::${carriedTrades}, ${part.trades}::jsonb) as r
        where r.chain_id = ${chainId} and ${carryWhere(sql`c.undone = ${undone}`)}
          and not exists (select 1 from ${tradeValues} v
            where v.chain_id = ${chainId} and v.block_number = r.block_number and v.log_index = r.log_index)
        on conflict do nothing
        returning *
      )
      insert into ${referredHours} as h (trader, hour, chain_id, code, is_registered, first_settled_at, first_block,
        first_log_index, last_block)
      select v.trader, ${hourOf(sql`v.settled_at`)}, v.chain_id, v.referrer_code, a.code is not null, min(v.settled_at),
        min(v.block_number), (array_agg(v.log_index order by v.block_number, v.log_index))[1], max(v.block_number)
      from added v left join ${affiliates} a on a.code = v.referrer_code and a.created_at <= v.order_created_at
      where v.referrer_code is not null
      group by 1, 2, 3, 4, 5
      order by 1, 2, 3, 4, 5
      ${mergeHours}`),
    ...(part.isLast && part.finalAt ? [sumReferredHours(database, chainId, sql`${part.finalAt}::timestamptz`)] : []),
    database.select({ undone: tradeCarries.undone }).from(tradeCarries).where(sql`chain_id = ${chainId}`),
  ])
  const [carry] = results.at(-1) as { undone: number }[]
  if (carry && carry.undone > undone)
    throw new Error(`copied trades of network ${chainId} are of a later state than its database`)
}
