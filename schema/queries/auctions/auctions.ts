import { and, eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { auctionEntries, auctions, currentAuctions, type LeftOut } from '../../tables/auctions/auctions.ts'
import { solutions } from '../../tables/auctions/solutions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { insertTransitions, type OrderTransition } from '../events/orderTransitions.ts'
import { runBatch } from '../fragments/runBatch.ts'
import { uidList } from '../fragments/uidList.ts'
import { ordersInFlight } from '../settlements/settlementAttempts.ts'
import { type FeePolicyRow, insertFeePolicies } from './feePolicies.ts'
import { isCancelled } from './listedOrders.ts'
import { insertSolutionOrders, type SolutionOrderRow } from './solutionOrders.ts'

/** Reserves the id of a new auction. */
export const nextAuctionId = async (database: Database): Promise<number> => {
  const { rows } = await database.execute<{ id: string }>(sql`select nextval('auction_ids') as id`)
  return Number(rows[0]?.id)
}

/** Ranges of auctions that one order may have. Beyond, the newest one continues, as if the order had not left. */
export const maxEntries = 100

/** An order of an auction; `body` is its JSON text for solvers. */
export type ListedOrder = { uid: Hex; body: string }

/** An auction and its differences from the previous one. */
export type CutRecord = {
  id: number
  block: number
  /** token address → decimal string, wei per 10¹⁸ atoms */
  prices: Record<string, string>
  transitions: readonly OrderTransition[]
  entered: readonly ListedOrder[]
  /** orders that stay in the auction with changed contents */
  changed: readonly ListedOrder[]
  left: readonly Hex[]
}

/**
 * Makes an auction the current one of its chain and logs the orders that entered and left. Only changes are written;
 * unchanged orders cost nothing.
 */
export const insertAuction = async (database: Database, chainId: number, cut: CutRecord): Promise<void> => {
  const { id, block, prices } = cut
  const isOpen = and(eq(auctionEntries.chainId, chainId), isNull(auctionEntries.leftAuctionId))
  await runBatch(database, [
    database
      .insert(currentAuctions)
      .values({ chainId, id, block, prices })
      .onConflictDoUpdate({
        target: currentAuctions.chainId,
        set: { id, block, prices },
        setWhere: lt(currentAuctions.id, id),
      }),
    ...(cut.transitions.length > 0 ? [insertTransitions(database, chainId, id, cut.transitions)] : []),
    ...(cut.left.length > 0
      ? [
          database
            .update(auctionEntries)
            .set({ leftAuctionId: id, body: null })
            .where(and(isOpen, sql`${auctionEntries.orderUid} in ${uidList(cut.left)}`)),
        ]
      : []),
    ...(cut.changed.length > 0
      ? [
          database.execute(sql`
            update ${auctionEntries} as e set body = changed.body from ${bodyList(cut.changed)} as changed
            where e.chain_id = ${chainId} and e.left_auction_id is null and e.order_uid = changed.uid`),
        ]
      : []),
    ...(cut.entered.length > 0
      ? [
          database.execute(sql`
            with entered as (select uid, body from ${bodyList(cut.entered)} as entered),
            reopened as (
              update ${auctionEntries} as e set left_auction_id = null, body = entered.body from entered
              where e.chain_id = ${chainId} and e.order_uid = entered.uid and e.entered_auction_id = (
                select past[1] from (
                  select array(select entered_auction_id from ${auctionEntries}
                    where chain_id = ${chainId} and order_uid = entered.uid
                    order by entered_auction_id desc limit ${maxEntries}) as past
                ) as ranges where cardinality(past) >= ${maxEntries})
              returning e.order_uid
            )
            insert into ${auctionEntries} (chain_id, order_uid, entered_auction_id, body)
            select ${chainId}::integer, uid, ${id}::bigint, body from entered
            where uid not in (select order_uid from reopened)
            on conflict do nothing`),
        ]
      : []),
  ])
}

/** Listed orders as a subquery with the columns `uid` and `body`: one parameter however long the list is. */
const bodyList = (listed: readonly ListedOrder[]): SQL => {
  const pairs = listed.map(({ uid, body }) => `["${uid.slice(2)}",${body}]`)
  return sql`(select decode(value->>0, 'hex') as uid, value->1 as body from json_array_elements(${`[${pairs.join()}]`}::json))`
}

/** The record of a finished competition. */
export type CompetitionRecord = {
  auctionId: number
  /** head block when it was cut */
  block: number
  /** first block in which a winner may settle */
  startBlock: number
  /** last block in which a winner may settle */
  deadlineBlock: number
  /** the same for unproven solvers, whose deadline is earlier */
  deadlines?: ReadonlyMap<Address, number>
  /** number of orders of the auction */
  orderCount: number
  /** token address → decimal string, wei per 10¹⁸ atoms */
  prices: Record<string, string>
  /** those with depth, which value trades */
  provenPrices: Record<string, string>
  /** in the order of the ranking */
  solutions: Omit<typeof solutions.$inferInsert, 'chainId' | 'auctionId'>[]
  solutionOrders: readonly SolutionOrderRow[]
  /** of all orders in `solutionOrders` */
  feePolicies: readonly FeePolicyRow[]
  transitions: readonly OrderTransition[]
  /** solvers whose participation was limited */
  leftOut?: readonly LeftOut[]
  /** the orders of all winners */
  winningOrders: readonly Hex[]
}

/**
 * Records a competition and a running attempt for each of its winners, all or nothing: from here on their orders are in
 * flight. The auction's id is a fence: the statement reads it back from the current auction, so the whole transaction
 * fails on the missing id when another clock has cut a newer auction or has one of the orders in flight, or when one of
 * them is cancelled.
 */
export const insertCompetition = async (
  database: Database,
  chainId: number,
  record: CompetitionRecord,
): Promise<void> => {
  const { auctionId } = record
  const of = <Row extends object>(rows: readonly Row[]) => rows.map((row) => ({ chainId, auctionId, ...row }))
  const attempts = record.solutions
    .filter(({ isWinner }) => isWinner)
    .map(({ uid, solver }) => ({
      solutionUid: uid,
      solver,
      startBlock: record.startBlock,
      deadlineBlock: record.deadlines?.get(solver) ?? record.deadlineBlock,
    }))
  await runBatch(database, [
    database
      .select({ id: currentAuctions.id })
      .from(currentAuctions)
      .where(eq(currentAuctions.chainId, chainId))
      .for('update'),
    // locks the orders: cancellations wait for this transaction
    database
      .select({ uid: orders.uid })
      .from(orders)
      .where(and(eq(orders.chainId, chainId), sql`${orders.uid} in ${uidList(record.winningOrders)}`))
      .orderBy(orders.uid)
      .for('share'),
    database.insert(auctions).values({
      chainId,
      id: sql`(
        select id from ${currentAuctions} where chain_id = ${chainId} and id = ${auctionId}
          and not exists (select 1 from ${ordersInFlight(chainId)} as in_flight
            join ${uidList(record.winningOrders)} as winning on winning.uid = in_flight.uid)
          and not exists (select 1 from ${orders}
            join ${uidList(record.winningOrders)} as winning on winning.uid = ${orders.uid}
            where ${orders.chainId} = ${chainId} and ${isCancelled})
      )`,
      block: record.block,
      deadlineBlock: record.deadlineBlock,
      orderCount: record.orderCount,
      prices: record.prices,
      provenPrices: record.provenPrices,
      leftOut: [...(record.leftOut ?? [])],
    }),
    database.insert(solutions).values(of(record.solutions)),
    insertSolutionOrders(database, chainId, auctionId, record.solutionOrders),
    ...(record.feePolicies.length > 0 ? [insertFeePolicies(database, chainId, auctionId, record.feePolicies)] : []),
    insertTransitions(database, chainId, auctionId, record.transitions),
    ...(attempts.length > 0 ? [database.insert(settlementAttempts).values(of(attempts))] : []),
  ])
}
