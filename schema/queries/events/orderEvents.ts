import { and, desc, eq, getTableColumns, max, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Database } from '../../client.ts'
import { solutionOrders, solutions } from '../../tables/auctions/solutions.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { settlementOfTrade } from '../fragments/joins.ts'
import { newestFirst } from '../fragments/newestFirst.ts'
import { isProgressEvent, type ProgressLabel } from './progressEvents.ts'

/** Progress of an order. */
export type OrderProgress = {
  /** null without an event of the order */
  newestEvent: ProgressLabel | null
  /** reason and figures of an exclusion from an auction */
  exclusion: { reason: string; data: JsonObject | null } | null
  traded: boolean
  order: typeof orders.$inferSelect
  /**
   * the competition of its newest trade, else the newest with the order, else that of its newest event; worst solution
   * first
   */
  solutions: { solver: Address; executed: { sell: bigint; buy: bigint } | null }[]
}

export const selectOrderProgress = async (
  database: Database,
  chainId: number,
  uid: Hex,
): Promise<OrderProgress | undefined> => {
  const event = database
    .select({
      label: sql<ProgressLabel>`${orderEvents.label}`.as('label'),
      reason: orderEvents.reason,
      data: sql<JsonObject | null>`${orderEvents.data}`.as('data'),
      auctionId: orderEvents.auctionId,
    })
    .from(orderEvents)
    .where(and(eq(orderEvents.chainId, chainId), eq(orderEvents.orderUid, uid), isProgressEvent))
    .orderBy(desc(orderEvents.id))
    .limit(1)
    .as('event')
  const trade = database
    .select({ blockNumber: trades.blockNumber, auctionId: settlements.auctionId })
    .from(trades)
    .leftJoin(settlements, settlementOfTrade)
    .where(and(eq(trades.chainId, chainId), eq(trades.orderUid, uid)))
    .orderBy(newestFirst(trades.blockNumber), newestFirst(trades.logIndex))
    .limit(1)
    .as('trade')
  const competition = database
    .select({ auctionId: max(solutionOrders.auctionId).as('newest_auction_id') })
    .from(solutionOrders)
    .where(and(eq(solutionOrders.chainId, chainId), eq(solutionOrders.orderUid, uid)))
    .as('competition')
  const rows = await database
    .select({
      order: getTableColumns(orders),
      newestEvent: event.label,
      reason: event.reason,
      data: event.data,
      tradedInBlock: trade.blockNumber,
      solver: solutions.solver,
      executed: { sell: solutionOrders.executedSell, buy: solutionOrders.executedBuy },
    })
    .from(orders)
    .leftJoin(event, sql`true`)
    .leftJoin(trade, sql`true`)
    .leftJoin(competition, sql`true`)
    .leftJoin(
      solutions,
      and(
        eq(solutions.chainId, orders.chainId),
        // the archive has the rows by which only losing solutions had the order
        eq(solutions.auctionId, sql`coalesce(${trade.auctionId}, ${competition.auctionId}, ${event.auctionId})`),
      ),
    )
    .leftJoin(
      solutionOrders,
      and(
        eq(solutionOrders.chainId, solutions.chainId),
        eq(solutionOrders.auctionId, solutions.auctionId),
        eq(solutionOrders.solutionUid, solutions.uid),
        eq(solutionOrders.orderUid, orders.uid),
      ),
    )
    .where(and(eq(orders.chainId, chainId), eq(orders.uid, uid)))
    .orderBy(desc(solutions.uid))
  const [first] = rows
  return (
    first && {
      newestEvent: first.newestEvent,
      exclusion: first.reason === null ? null : { reason: first.reason, data: first.data },
      traded: first.tradedInBlock !== null,
      order: first.order,
      solutions: rows.flatMap(({ solver, executed }) => (solver === null ? [] : [{ solver, executed }])),
    }
  )
}
