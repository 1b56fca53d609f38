import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { insertReferredHours } from '../affiliate/referredHours.ts'
import { sumReferredHours } from '../affiliate/sumReferredHours.ts'
import { runBatch } from '../fragments/runBatch.ts'
import { correctCancellations } from '../notifications/correctCancellations.ts'
import { logEvents } from '../notifications/notifications.ts'
import { recomputeOrders } from '../orders/executedOrders.ts'
import { advanceAccountSurplus } from '../settlements/accountSurplus.ts'
import { closeOverdueAttempts, closeSettledAttempts } from '../settlements/settlementAttempts.ts'
import { deleteResolvedFailures } from '../settlements/settlementFailures.ts'
import { insertTradeValues } from '../settlements/tradeValues.ts'
import { insertConditionalEvents, wakeTradedConditionalOrders } from '../strategies/insertConditionalEvents.ts'
import { deleteOldBlocks, insertBlocks, storedBlocks } from './blocks.ts'
import type { ChainUpdate } from './chainUpdate.ts'
import { insertCancelledEvents } from './insertCancelledEvents.ts'
import { insertEvents } from './insertEvents.ts'
import { insertExpiredEvents } from './insertExpiredEvents.ts'
import { insertPlacedEvents } from './insertPlacedEvents.ts'
import { insertOnchainOrders } from './onchainOrders.ts'
import { selectOrdersSince, undoBlocks } from './undoBlocks.ts'

/**
 * Moves a chain's cursor and all dependent rows in one transaction: undoes replaced blocks, adds the new ones,
 * recomputes orders and attempts. Idempotent. Orders with events in the stored blocks are recomputed each time, so that
 * an order that was placed later is not missed.
 */
export const updateChain = async (database: Database, chainId: number, update: ChainUpdate): Promise<void> => {
  const { fromBlock, toBlock, undoFrom } = update
  const lookFrom = Math.min(fromBlock, toBlock - storedBlocks + 1)
  const undone = undoFrom === null ? [] : await selectOrdersSince(database, chainId, undoFrom)
  await runBatch(database, [
    ...(undoFrom === null ? [] : undoBlocks(database, chainId, undoFrom)),
    ...insertOnchainOrders(database, chainId, update.onchainOrders),
    ...insertEvents(database, chainId, update),
    ...insertConditionalEvents(database, chainId, update.conditional),
    wakeTradedConditionalOrders(database, chainId, lookFrom),
    insertPlacedEvents(database, chainId, lookFrom),
    insertCreatedEvents(database, chainId, lookFrom),
    recomputeOrders(database, chainId, lookFrom, undone),
    insertTradeValues(database, chainId, lookFrom),
    insertReferredHours(database, chainId, lookFrom),
    sumReferredHours(database, chainId),
    advanceAccountSurplus(database, chainId, fromBlock - storedBlocks, toBlock - storedBlocks),
    insertTradedEvents(database, chainId, lookFrom, update.hookOutcomes),
    correctCancellations(database, chainId, lookFrom, undone),
    insertCancelledEvents(database, chainId, lookFrom),
    insertExpiredEvents(database, chainId, update),
    closeSettledAttempts(database, chainId, lookFrom),
    closeOverdueAttempts(database, chainId, toBlock),
    ...(update.blocks.length === 0 ? [] : [insertBlocks(database, chainId, update.blocks)]),
    deleteOldBlocks(database, chainId, toBlock),
    deleteResolvedFailures(database, chainId, lookFrom, toBlock),
  ])
}

/** The creation time of a just-in-time order is its settlement, or now when the block's time is ahead of this clock. */
const insertCreatedEvents = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, created_at, block_number)
    select chain_id, uid, 'created', 'created', least(created_at, now()), jit_block from ${orders}
    where chain_id = ${chainId} and jit_block >= ${fromBlock}
    on conflict do nothing`)

const insertTradedEvents = (
  database: Database,
  chainId: number,
  fromBlock: number,
  hookOutcomes: ChainUpdate['hookOutcomes'],
) =>
  logEvents(
    database,
    sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, auction_id, block_number, data)
    select t.chain_id, t.order_uid, 'traded:' || t.block_number || ':' || t.log_index, 'traded', s.auction_id,
      t.block_number, case when h.hooks is not null then jsonb_build_object('hooks', h.hooks) end
    from ${trades} t
    join ${orders} o on o.chain_id = t.chain_id and o.uid = t.order_uid
    left join ${settlements} s on s.chain_id = t.chain_id and s.block_number = t.block_number
      and s.log_index = t.settlement_log_index
    left join jsonb_to_recordset(${JSON.stringify(hookOutcomes)}::jsonb)
      as h("blockNumber" bigint, "logIndex" integer, hooks jsonb)
      on h."blockNumber" = t.block_number and h."logIndex" = t.log_index
    where t.chain_id = ${chainId} and t.block_number >= ${fromBlock}
    order by t.block_number, t.log_index
    on conflict do nothing`,
  )
