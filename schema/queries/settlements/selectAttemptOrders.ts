import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { solutionOrders } from '../../tables/auctions/solutions.ts'
import { appData } from '../../tables/orders/appData.ts'
import { orders } from '../../tables/orders/orders.ts'
import { provenPrice } from '../fragments/valueOfTrade.ts'

/** Most orders of one attempt. */
const maxOrders = 100

/** Orders of the book in a winning solution, with their executed amounts in atoms; just-in-time orders are the solver's. */
export const selectAttemptOrders = (
  database: Database,
  chainId: number,
  { auctionId, solutionUid }: { auctionId: number; solutionUid: number },
) =>
  database
    .select({
      uid: orders.uid,
      owner: orders.owner,
      receiver: orders.receiver,
      sellToken: orders.sellToken,
      buyToken: orders.buyToken,
      signingScheme: orders.signingScheme,
      signature: orders.signature,
      preInteractions: orders.preInteractions,
      postInteractions: orders.postInteractions,
      validTo: orders.validTo,
      executedSell: solutionOrders.executedSell,
      executedBuy: solutionOrders.executedBuy,
      /** whether both tokens had a proven price in the auction */
      hasProvenPrices: sql<boolean>`coalesce(${provenPrice(orders.sellToken)} > 0 and ${provenPrice(orders.buyToken)} > 0, false)`,
      /** whether a loan or a wrapper may fund it within its settlement */
      isFunded: sql<boolean>`coalesce(${appData.fullAppData} ~ 'flashloan|wrappers', false)`,
    })
    .from(solutionOrders)
    .innerJoin(orders, and(eq(orders.chainId, solutionOrders.chainId), eq(orders.uid, solutionOrders.orderUid)))
    .leftJoin(auctions, and(eq(auctions.chainId, solutionOrders.chainId), eq(auctions.id, solutionOrders.auctionId)))
    .leftJoin(appData, eq(appData.hash, orders.appDataHash))
    .where(
      and(
        eq(solutionOrders.chainId, chainId),
        eq(solutionOrders.auctionId, auctionId),
        eq(solutionOrders.solutionUid, solutionUid),
        isNull(orders.jitBlock),
      ),
    )
    .orderBy(orders.uid)
    .limit(maxOrders)

export type AttemptOrder = Awaited<ReturnType<typeof selectAttemptOrders>>[number]
