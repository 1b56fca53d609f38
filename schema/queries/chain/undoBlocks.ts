import { and, eq, gte, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { orderPlacements } from '../../tables/chain/orderPlacements.ts'
import { orderRefunds } from '../../tables/chain/orderRefunds.ts'
import { presignatures } from '../../tables/chain/presignatures.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { deleteReferredHoursFrom } from '../affiliate/referredHours.ts'
import { lowerTradeCarry } from '../affiliate/tradeCarries.ts'
import { retractNotifications } from '../notifications/retractNotifications.ts'
import { deleteAccountSurplusFrom } from '../settlements/accountSurplus.ts'
import { reopenAttempts } from '../settlements/settlementAttempts.ts'
import { lowerFailureBlocks } from '../settlements/settlementFailures.ts'
import { isEventKey } from '../strategies/conditionalEvents.ts'
import { undoConditionalOrders } from '../strategies/insertConditionalEvents.ts'
import { deleteBlocksFrom } from './blocks.ts'

const eventTables = [trades, invalidations, presignatures, executions, orderPlacements, orderRefunds] as const

/** Statements that undo the blocks from `from` on, themselves first: what a block's evaluation stores locks it. */
export const undoBlocks = (database: Database, chainId: number, from: number): BatchItem<'pg'>[] => [
  deleteBlocksFrom(database, chainId, from),
  insertUndoneEvents(database, chainId, from),
  retractNotifications(database, chainId, from),
  ...[...eventTables, settlements, tradeValues, orderEvents].map((table) =>
    database.delete(table).where(and(eq(table.chainId, chainId), gte(table.blockNumber, from))),
  ),
  database.delete(orders).where(and(eq(orders.chainId, chainId), gte(orders.jitBlock, from))),
  deleteAccountSurplusFrom(database, chainId, from),
  deleteReferredHoursFrom(database, chainId, from),
  lowerTradeCarry(database, chainId, from),
  reopenAttempts(database, chainId, from),
  lowerFailureBlocks(database, chainId, from),
  ...undoConditionalOrders(database, chainId, from),
]

/** Orders with events in the blocks from `from` on. */
export const selectOrdersSince = async (database: Database, chainId: number, from: number): Promise<Hex[]> => {
  const [first, ...others] = eventTables.map((table) =>
    database
      .selectDistinct({ uid: table.orderUid })
      .from(table)
      .where(and(eq(table.chainId, chainId), gte(table.blockNumber, from))),
  )
  if (!first) return []
  return (await database.batch([first, ...others])).flat().map(({ uid }) => uid)
}

/** Retracts the events of replaced blocks for every reader of the log. */
const insertUndoneEvents = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, data, archive_part)
    select e.chain_id, e.order_uid, 'undone:' || e.id, 'undone', jsonb_build_object('label', e.label, 'blockNumber', e.block_number),
      e.archive_part
    from ${orderEvents} e
    left join ${orders} o on o.chain_id = e.chain_id and o.uid = e.order_uid
    where e.chain_id = ${chainId} and e.block_number >= ${fromBlock}
      and ((o.uid is not null and (o.jit_block < ${fromBlock}) is not false) or ${isEventKey(sql`e.order_uid`)})
    order by e.id
    on conflict do nothing`)
