import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Address, Hex } from 'viem'
import type { OfferedQuote } from '#shared/orders/checkSignedFee.ts'
import type { Database } from '../../client.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { orderPlacements } from '../../tables/chain/orderPlacements.ts'
import { orderRefunds } from '../../tables/chain/orderRefunds.ts'
import { appData } from '../../tables/orders/appData.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { offeredQuoteColumns } from '../fragments/offeredQuoteColumns.ts'
import { uidList } from '../fragments/uidList.ts'
import { canPlaceOver, placedOver, takeoverAssignments } from '../orders/takeover.ts'
import { deleteStaleCopies, insertQuoteCopies } from '../quotes/quoteCopies.ts'

type Place = { blockNumber: number; logIndex: number }

/** Events of placement contracts in a range of blocks. */
export type OnchainOrderEvents = {
  placements: Omit<typeof orderPlacements.$inferInsert, 'chainId'>[]
  /** the orders of the placements, each with its `onchainUser` */
  placedOrders: Omit<typeof orders.$inferInsert, 'chainId'>[]
  /** orders that `contract` ended */
  cancellations: (Place & { contract: Address; orderUid: Hex; transactionHash: Hex })[]
  /** orders whose unsold amount `contract` refunded */
  refunds: (Place & { contract: Address; orderUid: Hex; transactionHash: Hex })[]
}

/** Rows of one statement: an order has about forty columns, a statement at most 65,535 parameters. */
const maxRows = 1_000

/**
 * Adds placements, invalidations and refunds by contracts; `recomputeOrders` then updates the orders. A contract can
 * end and refund only orders that it owns or placed. A row that was first posted over the API becomes the order placed
 * on-chain, with its scheme, signature and quote, when `canPlaceOver` holds; no other placement changes it.
 */
export const insertOnchainOrders = (
  database: Database,
  chainId: number,
  { placements, placedOrders, cancellations, refunds }: OnchainOrderEvents,
): BatchItem<'pg'>[] => [
  ...inChunks(placements, (rows) =>
    database
      .insert(orderPlacements)
      .values(rows.map((row) => ({ chainId, ...row })))
      .onConflictDoNothing(),
  ),
  ...inChunks(placedOrders, (rows) => insertPlacedOrders(database, chainId, rows)),
  ...inChunks(placedOrders, (rows) => insertQuotes(database, chainId, rows)),
  ...inChunks(placedOrders, (rows) =>
    deleteStaleCopies(
      database,
      chainId,
      rows.map(({ uid }) => uid),
    ),
  ),
  ...inChunks(cancellations, (rows) => insertCancellations(database, chainId, rows)),
  ...inChunks(refunds, (rows) => insertRefunds(database, chainId, rows)),
]

const inChunks = <Row>(rows: readonly Row[], insert: (rows: Row[]) => BatchItem<'pg'>): BatchItem<'pg'>[] =>
  Array.from({ length: Math.ceil(rows.length / maxRows) }, (_, i) => insert(rows.slice(i * maxRows, (i + 1) * maxRows)))

const insertPlacedOrders = (database: Database, chainId: number, rows: OnchainOrderEvents['placedOrders']) =>
  database.execute(sql`
    ${database
      .insert(orders)
      .values(rows.map((row) => ({ chainId, ...row })))
      .getSQL()}
    on conflict (chain_id, uid) do update set ${takeoverAssignments} where ${canPlaceOver}`)

/** Copies of the orders' quotes, as for orders over the API. */
const insertQuotes = (database: Database, chainId: number, rows: OnchainOrderEvents['placedOrders']) =>
  database.execute(
    insertQuoteCopies(sql`(
      select chain_id, uid, quote_id from ${orders}
      where chain_id = ${chainId} and onchain_user is not null and quote_id is not null
        and uid in ${uidList(rows.map(({ uid }) => uid))})`),
  )

/** `contract` owns the order or placed it. */
const isOfContract = sql`(substring(e.uid from 33 for 20) = e.contract or exists (
  select 1 from ${orderPlacements} p join ${orders} o on o.chain_id = p.chain_id and o.uid = p.order_uid
  where p.chain_id = e.chain_id and p.order_uid = e.uid and p.contract = e.contract and o.onchain_user is not null))`

const eventList = (chainId: number, rows: OnchainOrderEvents['refunds']) => {
  const list = rows.map(({ contract, orderUid, transactionHash, ...place }) => ({
    ...place,
    contract: contract.slice(2),
    uid: orderUid.slice(2),
    transactionHash: transactionHash.slice(2),
  }))
  return sql`(
    select ${chainId}::integer as chain_id, (value->>'blockNumber')::bigint as block_number,
      (value->>'logIndex')::integer as log_index, decode(value->>'contract', 'hex') as contract,
      decode(value->>'uid', 'hex') as uid, decode(value->>'transactionHash', 'hex') as transaction_hash
    from jsonb_array_elements(${JSON.stringify(list)}::jsonb))`
}

const insertCancellations = (database: Database, chainId: number, rows: OnchainOrderEvents['cancellations']) =>
  database.execute(sql`
    insert into ${invalidations} (chain_id, block_number, log_index, owner, order_uid, transaction_hash)
    select e.chain_id, e.block_number, e.log_index, e.contract, e.uid, e.transaction_hash
    from ${eventList(chainId, rows)} as e
    where ${isOfContract}
    on conflict do nothing`)

const insertRefunds = (database: Database, chainId: number, rows: OnchainOrderEvents['refunds']) =>
  database.execute(sql`
    insert into ${orderRefunds} (chain_id, block_number, log_index, order_uid, transaction_hash)
    select e.chain_id, e.block_number, e.log_index, e.uid, e.transaction_hash
    from ${eventList(chainId, rows)} as e
    where ${isOfContract}
    on conflict do nothing`)

/**
 * The creation time of an order placed on-chain is its placement, even when the row was first posted over the API. A block
 * whose time is ahead of this clock is written down now: no later event may have an earlier time. An order whose events are
 * archived has ended and been created.
 */
export const insertPlacedEvents = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, reason, created_at, block_number)
    select p.chain_id, p.order_uid, case when isOver then 'placed' else 'created' end, 'created',
      case when isOver then ${placedOver} end, least(p.placed_at, now()), p.block_number
    from ${orderPlacements} p
    join ${orders} o on o.chain_id = p.chain_id and o.uid = p.order_uid and o.onchain_user is not null
    cross join lateral (select exists (
      select 1 from ${orderEvents} e
      where e.chain_id = p.chain_id and e.order_uid = p.order_uid and e.key = 'created' and e.block_number is null
    ) as isOver) as earlier
    where p.chain_id = ${chainId} and p.block_number >= ${fromBlock} and not exists (
      select 1 from ${orderEvents} e
      where e.chain_id = p.chain_id and e.order_uid = p.order_uid and e.archive_part is not null)
    order by p.block_number, p.log_index
    on conflict do nothing`)

/** The fields of a stored quote that price an order. */
export type PlacementQuote = OfferedQuote & Pick<typeof quotes.$inferSelect, 'sellAmount' | 'buyAmount'>

/** Stored documents and quotes that placements refer to, in one round trip. */
export const selectPlacementReferences = async (
  database: Database,
  chainId: number,
  { hashes, quoteIds }: { hashes: Hex[]; quoteIds: number[] },
): Promise<{ documents: Map<Hex, string>; quotes: Map<number, PlacementQuote> }> => {
  const [documents, found] = await database.batch([
    database.select().from(appData).where(inArray(appData.hash, hashes)),
    database
      .select({
        ...offeredQuoteColumns(quotes),
        sellAmount: quotes.sellAmount,
        buyAmount: quotes.buyAmount,
      })
      .from(quotes)
      .where(and(eq(quotes.chainId, chainId), inArray(quotes.id, quoteIds))),
  ])
  return {
    documents: new Map(documents.map(({ hash, fullAppData }) => [hash, fullAppData])),
    quotes: new Map(found.map((quote) => [quote.id, quote])),
  }
}
