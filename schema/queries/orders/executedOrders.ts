import { type Placeholder, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { orderPlacements } from '../../tables/chain/orderPlacements.ts'
import { orderRefunds } from '../../tables/chain/orderRefunds.ts'
import { presignatures } from '../../tables/chain/presignatures.ts'
import { orders } from '../../tables/orders/orders.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { uidList } from '../fragments/uidList.ts'

/**
 * Recomputes the columns of orders that follow from on-chain events: executed amounts (atoms), fee, invalidated,
 * presigned; for orders placed on-chain also their user, creation time, validity and placement error. An order whose
 * placement a reorganisation undid retains its columns and becomes `reorged`. Updates the orders of `uids` and those
 * with an event in `fromBlock` or later; the version counts only real changes.
 */
export const recomputeOrders = (
  database: Database,
  chainId: number | Placeholder,
  fromBlock: number | Placeholder,
  uids: readonly Hex[] | Placeholder,
) =>
  database.execute(sql`
    with affected as (
      select order_uid as uid from ${trades} where chain_id = ${chainId} and block_number >= ${fromBlock}
      union select order_uid from ${invalidations} where chain_id = ${chainId} and block_number >= ${fromBlock}
      union select order_uid from ${presignatures} where chain_id = ${chainId} and block_number >= ${fromBlock}
      union select order_uid from ${orderPlacements} where chain_id = ${chainId} and block_number >= ${fromBlock}
      union select order_uid from ${orderRefunds} where chain_id = ${chainId} and block_number >= ${fromBlock}
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
          order by block_number desc nulls last, log_index desc nulls last limit 1), false) as presigned,
        (select transaction_hash from ${orderRefunds}
          where chain_id = ${chainId} and order_uid = affected.uid
          order by block_number, log_index limit 1) as refund,
        case when onchain then coalesce(placed.sender, o.onchain_user) end as onchain_user,
        case when onchain then case when placed.sender is null then 'reorged' else placed.error end end as placement_error,
        case when onchain and placed.sender is not null then placed.user_valid_to else o.user_valid_to end as user_valid_to,
        case when onchain and placed.sender is not null then placed.placed_at else o.created_at end as created_at
      from affected
      join ${orders} as o on o.chain_id = ${chainId} and o.uid = affected.uid
      cross join lateral (select o.onchain_user is not null as onchain) as origin
      cross join lateral (
        select coalesce(sum(sell_amount), 0) as sell, coalesce(sum(buy_amount), 0) as buy,
          coalesce(sum(fee_amount), 0) as signed_fee
        from ${trades} where chain_id = ${chainId} and order_uid = affected.uid
      ) as traded
      left join lateral (
        select sender, user_valid_to, error, placed_at
        from ${orderPlacements} where chain_id = ${chainId} and order_uid = affected.uid
        order by block_number, log_index limit 1
      ) as placed on true
    )
    update ${orders} as o set
      executed_sell_amount = computed.sell,
      executed_buy_amount = computed.buy,
      executed_fee_amount = computed.signed_fee,
      executed_fee = computed.fee,
      invalidated = computed.invalidated,
      presigned = computed.presigned,
      onchain_user = computed.onchain_user,
      user_valid_to = computed.user_valid_to,
      placement_error = computed.placement_error,
      refund_transaction_hash = computed.refund,
      created_at = computed.created_at,
      version = o.version + 1
    from computed
    where o.chain_id = ${chainId} and o.uid = computed.uid
      and (o.executed_sell_amount, o.executed_buy_amount, o.executed_fee_amount, o.executed_fee, o.invalidated, o.presigned,
        o.onchain_user, o.user_valid_to, o.placement_error, o.refund_transaction_hash, o.created_at)
        is distinct from
        (computed.sell, computed.buy, computed.signed_fee, computed.fee, computed.invalidated, computed.presigned,
        computed.onchain_user, computed.user_valid_to, computed.placement_error, computed.refund, computed.created_at)`)
