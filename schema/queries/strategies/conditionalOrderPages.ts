import { and, desc, eq, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { ConditionalState } from '#shared/strategies/conditionalOrder.ts'
import type { Database } from '../../client.ts'
import { currentAuctions } from '../../tables/auctions/auctions.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import { conditionalParts } from '../../tables/orders/conditionalParts.ts'
import { orders } from '../../tables/orders/orders.ts'
import { currentPrice } from '../auctions/currentAuction.ts'
import { isUnfilled } from '../fragments/isUnfilled.ts'
import type { ConditionalKey } from './selectDue.ts'

export type ConditionalOrderRecord = typeof conditionalOrders.$inferSelect

/** Position in the list: the event, and the hash among orders of one event. */
export type ConditionalPosition = { blockNumber: number; logIndex: number; hash: Hex }

/** Newest parts that are counted and listed. */
const maxParts = 1_000

/** Conditional orders, newest first. @param filter.orderUid a part of it */
export const selectConditionalOrders = (
  database: Database,
  chainId: number,
  filter: { owner?: Address | undefined; state?: ConditionalState | undefined; orderUid?: Hex | undefined },
  { after, limit }: { after?: ConditionalPosition | undefined; limit: number },
): Promise<ConditionalOrderRecord[]> => {
  const { blockNumber, logIndex, hash, owner, state } = conditionalOrders
  return database
    .select()
    .from(conditionalOrders)
    .where(
      and(
        eq(conditionalOrders.chainId, chainId),
        filter.owner && eq(owner, filter.owner),
        filter.state && eq(state, filter.state),
        filter.orderUid && sql`(${owner}, ${hash}) in ${selectKeyOfPart(database, chainId, filter.orderUid)}`,
        after &&
          sql`(${blockNumber}, ${logIndex}, ${hash}) < (${after.blockNumber}, ${after.logIndex}, decode(${after.hash.slice(2)}, 'hex'))`,
      ),
    )
    .orderBy(desc(blockNumber), desc(logIndex), desc(hash))
    .limit(limit)
}

/** An order is a part of one conditional order at most. */
const selectKeyOfPart = (database: Database, chainId: number, orderUid: Hex) =>
  database
    .select({ owner: conditionalParts.owner, hash: conditionalParts.hash })
    .from(conditionalParts)
    .where(and(eq(conditionalParts.chainId, chainId), eq(conditionalParts.orderUid, orderUid)))

/**
 * One conditional order with its newest parts, amounts in atoms, newest first, and the prices of the tokens of the newest one
 * in the newest auction, wei per 10¹⁸ atoms.
 */
export const selectConditionalOrder = async (database: Database, chainId: number, { owner, hash }: ConditionalKey) => {
  const isPartOfIt = and(
    eq(conditionalParts.chainId, chainId),
    eq(conditionalParts.owner, owner),
    eq(conditionalParts.hash, hash),
  )
  const orderOfPart = and(eq(orders.chainId, conditionalParts.chainId), eq(orders.uid, conditionalParts.orderUid))
  const newestFirst = [desc(conditionalParts.placedBlock), desc(conditionalParts.orderUid)]
  const [found, parts, [prices]] = await database.batch([
    database
      .select()
      .from(conditionalOrders)
      .where(
        and(
          eq(conditionalOrders.chainId, chainId),
          eq(conditionalOrders.owner, owner),
          eq(conditionalOrders.hash, hash),
        ),
      ),
    database
      .select({
        uid: orders.uid,
        placedBlock: conditionalParts.placedBlock,
        createdAt: orders.createdAt,
        validTo: orders.validTo,
        sellToken: orders.sellToken,
        buyToken: orders.buyToken,
        isFilled: sql<boolean>`not (${isUnfilled})`,
        executedSellAmount: orders.executedSellAmount,
        executedBuyAmount: orders.executedBuyAmount,
      })
      .from(conditionalParts)
      .innerJoin(orders, orderOfPart)
      .where(isPartOfIt)
      .orderBy(...newestFirst)
      .limit(maxParts),
    database
      .select({ sell: currentPrice(orders.sellToken), buy: currentPrice(orders.buyToken) })
      .from(conditionalParts)
      .innerJoin(orders, orderOfPart)
      .innerJoin(currentAuctions, eq(currentAuctions.chainId, conditionalParts.chainId))
      .where(isPartOfIt)
      .orderBy(...newestFirst)
      .limit(1),
  ])
  return found[0] && { order: found[0], parts, prices }
}
