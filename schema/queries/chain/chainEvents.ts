import { and, eq, gte, isNull, ne, not, or, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { blocks as blockTable } from '../../tables/chain/blocks.ts'
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
import { lowerTradeCarry } from '../affiliate/carriedTrades.ts'
import { deleteReferredHoursFrom, insertReferredHours, sumReferredHours } from '../affiliate/referredHours.ts'
import { isUnfilled } from '../fragments/isUnfilled.ts'
import { lastValidSecond } from '../fragments/lastValidSecond.ts'
import { runBatch } from '../fragments/runBatch.ts'
import { logEvents, retractNotifications } from '../notifications/notifications.ts'
import { recomputeOrders } from '../orders/executedOrders.ts'
import { advanceAccountSurplus, deleteAccountSurplusFrom } from '../settlements/accountSurplus.ts'
import { closeOverdueAttempts, closeSettledAttempts, reopenAttempts } from '../settlements/settlementAttempts.ts'
import { deleteResolvedFailures, lowerFailureBlocks } from '../settlements/settlementFailures.ts'
import { insertTradeValues } from '../settlements/tradeValues.ts'
import { deleteBlocksFrom, deleteOldBlocks, type IndexedBlock, insertBlocks, keptBlocks } from './blocks.ts'
import { insertOnchainOrders, insertPlacedEvents, type OnchainOrderEvents } from './onchainOrders.ts'

type NewRow<Row> = Omit<Row, 'chainId'>

/** Events of the settlement contract and of placement contracts in a range of blocks, and their consequences. */
export type ChainEvents = {
  settlements: NewRow<typeof settlements.$inferInsert>[]
  trades: NewRow<typeof trades.$inferInsert>[]
  invalidations: NewRow<typeof invalidations.$inferInsert>[]
  presignatures: NewRow<typeof presignatures.$inferInsert>[]
  executions: NewRow<typeof executions.$inferInsert>[]
  /** orders known only from their settlements */
  jitOrders: (NewRow<typeof orders.$inferInsert> & { jitBlock: number })[]
  onchainOrders: OnchainOrderEvents
}

/** A range of blocks that adds nothing. */
export const noEvents: ChainEvents & Pick<ChainUpdate, 'blocks'> = {
  settlements: [],
  trades: [],
  invalidations: [],
  presignatures: [],
  executions: [],
  jitOrders: [],
  onchainOrders: { placements: [], placedOrders: [], cancellations: [], refunds: [] },
  blocks: [],
}

export type ChainUpdate = ChainEvents & {
  /** one more than `toBlock` when blocks are only undone */
  fromBlock: number
  toBlock: number
  /** the last blocks of the range, at most `keptBlocks` */
  blocks: IndexedBlock[]
  /** first block replaced by a reorganisation; everything from there on is undone first */
  undoFrom: number | null
}

const eventTables = [trades, invalidations, presignatures, executions, orderPlacements, orderRefunds] as const

/**
 * Moves a chain's cursor and all dependent rows in one transaction: undoes replaced blocks, adds the new ones,
 * recomputes orders and attempts. Idempotent. Orders with events in the stored blocks are recomputed each time, so that
 * an order that was placed later is not missed.
 */
export const updateChain = async (database: Database, chainId: number, update: ChainUpdate): Promise<void> => {
  const { fromBlock, toBlock, undoFrom } = update
  const lookFrom = Math.min(fromBlock, toBlock - keptBlocks + 1)
  const undone = undoFrom === null ? [] : await selectOrdersSince(database, chainId, undoFrom)
  await runBatch(database, [
    ...(undoFrom === null ? [] : undoBlocks(database, chainId, undoFrom)),
    ...insertOnchainOrders(database, chainId, update.onchainOrders),
    ...insertEvents(database, chainId, update),
    insertPlacedEvents(database, chainId, lookFrom),
    insertCreatedEvents(database, chainId, lookFrom),
    recomputeOrders(database, chainId, lookFrom, undone),
    insertTradeValues(database, chainId, lookFrom),
    insertReferredHours(database, chainId, lookFrom),
    sumReferredHours(database, chainId),
    advanceAccountSurplus(database, chainId, fromBlock - keptBlocks, toBlock - keptBlocks),
    insertTradedEvents(database, chainId, lookFrom),
    insertCancelledEvents(database, chainId, lookFrom),
    insertExpiredEvents(database, chainId, update),
    closeSettledAttempts(database, chainId, lookFrom),
    closeOverdueAttempts(database, chainId, toBlock),
    ...(update.blocks.length === 0 ? [] : [insertBlocks(database, chainId, update.blocks)]),
    deleteOldBlocks(database, chainId, toBlock),
    deleteResolvedFailures(database, chainId, lookFrom, toBlock),
  ])
}

const undoBlocks = (database: Database, chainId: number, from: number): BatchItem<'pg'>[] => [
  insertUndoneEvents(database, chainId, from),
  retractNotifications(database, chainId, from),
  ...[...eventTables, settlements, tradeValues, orderEvents].map((table) =>
    database.delete(table).where(and(eq(table.chainId, chainId), gte(table.blockNumber, from))),
  ),
  database.delete(orders).where(and(eq(orders.chainId, chainId), gte(orders.jitBlock, from))),
  deleteBlocksFrom(database, chainId, from),
  deleteAccountSurplusFrom(database, chainId, from),
  deleteReferredHoursFrom(database, chainId, from),
  lowerTradeCarry(database, chainId, from),
  reopenAttempts(database, chainId, from),
  lowerFailureBlocks(database, chainId, from),
]

const selectOrdersSince = async (database: Database, chainId: number, from: number): Promise<Hex[]> => {
  const [first, ...others] = eventTables.map((table) =>
    database
      .selectDistinct({ uid: table.orderUid })
      .from(table)
      .where(and(eq(table.chainId, chainId), gte(table.blockNumber, from))),
  )
  if (!first) return []
  return (await database.batch([first, ...others])).flat().map(({ uid }) => uid)
}

/** Rows of one statement, to stay below Postgres' 65,535 parameters. */
const maxRows = 2_000

const insertEvents = (database: Database, chainId: number, events: ChainEvents): BatchItem<'pg'>[] => {
  const inChunks = <Row extends object>(
    rows: Row[],
    insert: (rows: (Row & { chainId: number })[]) => BatchItem<'pg'>,
  ): BatchItem<'pg'>[] => {
    const statements: BatchItem<'pg'>[] = []
    for (let i = 0; i < rows.length; i += maxRows) {
      statements.push(insert(rows.slice(i, i + maxRows).map((row) => ({ chainId, ...row }))))
    }
    return statements
  }
  return [
    ...inChunks(events.settlements, (rows) => database.insert(settlements).values(rows).onConflictDoNothing()),
    ...inChunks(events.trades, (rows) => database.insert(trades).values(rows).onConflictDoNothing()),
    ...inChunks(events.invalidations, (rows) => database.insert(invalidations).values(rows).onConflictDoNothing()),
    ...inChunks(events.presignatures, (rows) => database.insert(presignatures).values(rows).onConflictDoNothing()),
    ...inChunks(events.executions, (rows) => database.insert(executions).values(rows).onConflictDoNothing()),
    ...inChunks(events.jitOrders, (rows) => database.insert(orders).values(rows).onConflictDoNothing()),
  ]
}

/** The creation time of a just-in-time order is its settlement, or now when the block's time is ahead of this clock. */
const insertCreatedEvents = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, created_at, block_number)
    select chain_id, uid, 'created', 'created', least(created_at, now()), jit_block from ${orders}
    where chain_id = ${chainId} and jit_block >= ${fromBlock}
    on conflict do nothing`)

const insertTradedEvents = (database: Database, chainId: number, fromBlock: number) =>
  logEvents(
    database,
    sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, auction_id, block_number)
    select t.chain_id, t.order_uid, 'traded:' || t.block_number || ':' || t.log_index, 'traded', s.auction_id,
      t.block_number
    from ${trades} t
    join ${orders} o on o.chain_id = t.chain_id and o.uid = t.order_uid
    left join ${settlements} s on s.chain_id = t.chain_id and s.block_number = t.block_number
      and s.log_index = t.settlement_log_index
    where t.chain_id = ${chainId} and t.block_number >= ${fromBlock}
    order by t.block_number, t.log_index
    on conflict do nothing`,
  )

/**
 * The first on-chain invalidation of an order that is not yet cancelled, and its sender: the owner, or the contract
 * that placed the order. The settlement contract lets an owner repeat an invalidation.
 */
const insertCancelledEvents = (database: Database, chainId: number, fromBlock: number) =>
  logEvents(
    database,
    sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, block_number, data)
    select i.chain_id, i.order_uid, 'cancelled:' || i.block_number || ':' || i.log_index, 'cancelled', i.block_number,
      jsonb_build_object('by', '0x' || encode(i.owner, 'hex'))
    from ${invalidations} i
    join ${orders} o on o.chain_id = i.chain_id and o.uid = i.order_uid
    where i.chain_id = ${chainId} and i.block_number >= ${fromBlock}
      and not exists (select 1 from ${orderEvents} e
        where e.chain_id = i.chain_id and e.order_uid = i.order_uid and e.label = 'cancelled')
      and not exists (select 1 from ${invalidations} earlier
        where earlier.chain_id = i.chain_id and earlier.order_uid = i.order_uid and earlier.block_number >= ${fromBlock}
          and (earlier.block_number, earlier.log_index) < (i.block_number, i.log_index))
    order by i.block_number, i.log_index
    on conflict do nothing`,
  )

/**
 * Orders whose validity ended between the block before `fromBlock` and block `toBlock`: they can no longer be filled.
 * Runs before the new blocks are stored.
 */
const insertExpiredEvents = (database: Database, chainId: number, { fromBlock, toBlock, blocks }: ChainUpdate) => {
  const [first, last] = [blocks[0], blocks.at(-1)]
  const seconds = (date?: Date) => (date ? Math.floor(date.getTime() / 1_000) : 0)
  return logEvents(
    database,
    sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, block_number)
    select chain_id, uid, 'expired', 'expired', ${toBlock}::bigint
    from ${orders}
    where ${and(
      eq(orders.chainId, chainId),
      sql`${lastValidSecond} < ${seconds(last?.timestamp)}`,
      sql`${lastValidSecond} >= coalesce((
        select extract(epoch from timestamp)::bigint from ${blockTable}
        where chain_id = ${chainId} and number < ${fromBlock} order by number desc limit 1
      ), ${seconds(first?.timestamp)})`,
      isNull(orders.cancelledAt),
      not(orders.invalidated),
      isNull(orders.jitBlock),
      isNull(orders.placementError),
      or(ne(orders.signingScheme, 'presign'), orders.presigned),
      isUnfilled,
    )}
    order by uid
    on conflict do nothing`,
  )
}

/** Retracts the events of replaced blocks for every reader of the log. */
const insertUndoneEvents = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, data, archive_part)
    select e.chain_id, e.order_uid, 'undone:' || e.id, 'undone', jsonb_build_object('label', e.label, 'blockNumber', e.block_number),
      e.archive_part
    from ${orderEvents} e
    join ${orders} o on o.chain_id = e.chain_id and o.uid = e.order_uid and (o.jit_block < ${fromBlock}) is not false
    where e.chain_id = ${chainId} and e.block_number >= ${fromBlock}
    order by e.id
    on conflict do nothing`)
