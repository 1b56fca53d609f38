import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../client.ts'
import { executions } from '../tables/executions.ts'
import { invalidations } from '../tables/invalidations.ts'
import { orders } from '../tables/orders.ts'
import { presignatures } from '../tables/presignatures.ts'
import { trades } from '../tables/trades.ts'
import { uidList } from './uidList.ts'

/**
 * Recomputes what orders take from their on-chain events: executed amounts (atoms), fee, invalidated, presigned. Touches
 * the orders of `uids` and those with an event in `fromBlock` or later; the version counts only real changes.
 */
export const recomputeOrders = (database: Database, chainId: number, fromBlock: number, uids: readonly Hex[]) =>
  database.execute(sql`
    with affected as (
      select order_uid as uid from ${trades} where chain_id = ${chainId} and block_number >= ${fromBlock}
      union select order_uid from ${invalidations} where chain_id = ${chainId} and block_number >= ${fromBlock}
      union select order_uid from ${presignatures} where chain_id = ${chainId} and block_number >= ${fromBlock}
      union select uid from ${uidList(uids)} as listed
    ),
    computed as (
      select affected.uid, traded.sell, traded.buy, traded.signed_fee,
        coalesce((select sum(executed_fee) from ${executions}
          where chain_id = ${chainId} and order_uid = affected.uid), 0) as fee,
        exists (select 1 from ${invalidations}
          where chain_id = ${chainId} and order_uid = affected.uid) as invalidated,
        coalesce((select signed from ${presignatures}
          where chain_id = ${chainId} and order_uid = affected.uid
          order by block_number desc nulls last, log_index desc nulls last limit 1), false) as presigned
      from affected cross join lateral (
        select coalesce(sum(sell_amount), 0) as sell, coalesce(sum(buy_amount), 0) as buy,
          coalesce(sum(fee_amount), 0) as signed_fee
        from ${trades} where chain_id = ${chainId} and order_uid = affected.uid
      ) as traded
    )
    update ${orders} as o set
      executed_sell_amount = computed.sell,
      executed_buy_amount = computed.buy,
      executed_fee_amount = computed.signed_fee,
      executed_fee = computed.fee,
      invalidated = computed.invalidated,
      presigned = computed.presigned,
      version = o.version + 1
    from computed
    where o.chain_id = ${chainId} and o.uid = computed.uid
      and (o.executed_sell_amount, o.executed_buy_amount, o.executed_fee_amount, o.executed_fee, o.invalidated, o.presigned)
        is distinct from
        (computed.sell, computed.buy, computed.signed_fee, computed.fee, computed.invalidated, computed.presigned)`)
