import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../client.ts'
import { auctionEntries, auctions, currentAuctions } from '../tables/auctions.ts'
import { settlementAttempts } from '../tables/settlementAttempts.ts'
import { solutionOrders, solutions } from '../tables/solutions.ts'
import { insertTransitions, type OrderTransition } from './orderTransitions.ts'
import { runBatch } from './runBatch.ts'
import { ordersInFlight } from './settlementAttempts.ts'
import { uidList } from './uidList.ts'

/** Draws the id of a new auction. */
export const drawAuctionId = async (database: Database): Promise<number> => {
  const { rows } = await database.execute<{ id: string }>(sql`select nextval('auction_ids') as id`)
  return Number(rows[0]?.id)
}

/** An auction as it was cut, and how it differs from the one before. */
export type CutRecord = {
  id: number
  block: number
  /** `{ orders, prices }` in the shape of the driver API */
  body: unknown
  transitions: readonly OrderTransition[]
  entered: readonly Hex[]
  left: readonly Hex[]
}

/** Makes an auction the current one of its chain and logs whom it took in and left out. */
export const storeCut = async (database: Database, chainId: number, cut: CutRecord): Promise<void> => {
  const { id, block, body } = cut
  await runBatch(database, [
    database
      .insert(currentAuctions)
      .values({ chainId, id, block, body })
      .onConflictDoUpdate({
        target: currentAuctions.chainId,
        set: { id, block, body },
        setWhere: lt(currentAuctions.id, id),
      }),
    ...(cut.transitions.length > 0 ? [insertTransitions(database, chainId, id, cut.transitions)] : []),
    ...(cut.left.length > 0
      ? [
          database
            .update(auctionEntries)
            .set({ leftAuctionId: id })
            .where(
              and(
                eq(auctionEntries.chainId, chainId),
                isNull(auctionEntries.leftAuctionId),
                sql`${auctionEntries.orderUid} in ${uidList(cut.left)}`,
              ),
            ),
        ]
      : []),
    ...(cut.entered.length > 0
      ? [
          database.execute(sql`
            insert into ${auctionEntries} (chain_id, order_uid, entered_auction_id)
            select ${chainId}::integer, uid, ${id}::bigint from ${uidList(cut.entered)} as entered
            on conflict do nothing`),
        ]
      : []),
  ])
}

/** What a finished competition leaves behind. */
export type CompetitionRecord = {
  auctionId: number
  /** head block when it was cut */
  block: number
  /** first block in which a winner may settle */
  startBlock: number
  /** last block in which a winner may settle */
  deadlineBlock: number
  /** token address → decimal string, wei per 10¹⁸ atoms */
  prices: Record<string, string>
  /** in the order of the ranking */
  solutions: Omit<typeof solutions.$inferInsert, 'chainId' | 'auctionId'>[]
  solutionOrders: Omit<typeof solutionOrders.$inferInsert, 'chainId' | 'auctionId'>[]
  transitions: readonly OrderTransition[]
  /** the orders of all winners */
  winningOrders: readonly Hex[]
}

/**
 * Records a competition and a running attempt for each of its winners, all or nothing: from here on their orders are in
 * flight. The auction's id is a fence: it is read back from the current auction, so that the whole transaction fails on
 * the missing id when another clock has cut a newer auction or has one of the orders in flight.
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
      deadlineBlock: record.deadlineBlock,
    }))
  await runBatch(database, [
    database
      .select({ id: currentAuctions.id })
      .from(currentAuctions)
      .where(eq(currentAuctions.chainId, chainId))
      .for('update'),
    database.insert(auctions).values({
      chainId,
      id: sql`(
        select id from ${currentAuctions} where chain_id = ${chainId} and id = ${auctionId}
          and not exists (select 1 from ${ordersInFlight(chainId)} as in_flight
            join ${uidList(record.winningOrders)} as winning on winning.uid = in_flight.uid)
      )`,
      block: record.block,
      deadlineBlock: record.deadlineBlock,
      prices: record.prices,
    }),
    database.insert(solutions).values(of(record.solutions)),
    database.insert(solutionOrders).values(of(record.solutionOrders)),
    insertTransitions(database, chainId, auctionId, record.transitions),
    ...(attempts.length > 0 ? [database.insert(settlementAttempts).values(of(attempts))] : []),
  ])
}
