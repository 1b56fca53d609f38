import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { isUnfilled } from '../fragments/isUnfilled.ts'
import { uidList } from '../fragments/uidList.ts'

/**
 * Retracts notifications of cancellations over the API whose orders a settlement in flight filled anyway, and confirms
 * them again when a reorganisation undid the fill. Only a fill retracts a notification without a block.
 * @param fromBlock first block of the trades that may have changed
 * @param uids further orders whose trades may have changed
 */
export const correctCancellations = (database: Database, chainId: number, fromBlock: number, uids: readonly Hex[]) =>
  database.execute(sql`
    with affected as (
      select order_uid as uid from ${trades} where chain_id = ${chainId} and block_number >= ${fromBlock}
      union select uid from ${uidList(uids)} as listed
    )
    update ${notifications} as n
    set retracted_at = case when not ${isUnfilled} then now() end, revision = n.revision + 1
    from affected join ${orders} on ${orders.chainId} = ${chainId} and ${orders.uid} = affected.uid
    where n.chain_id = ${chainId} and n.order_uid = affected.uid and n.type = 'order_cancelled' and n.key = 'cancelled'
      and n.block_number is null and (n.retracted_at is null) <> ${isUnfilled}`)
