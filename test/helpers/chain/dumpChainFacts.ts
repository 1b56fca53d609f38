import { asc } from 'drizzle-orm'
import type { Database } from '#schema/client.ts'
import { selectBlocks } from '#schema/queries/chain/blocks.ts'
import { invalidations } from '#schema/tables/chain/invalidations.ts'
import { presignatures } from '#schema/tables/chain/presignatures.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { executions } from '#schema/tables/settlements/executions.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { trades } from '#schema/tables/settlements/trades.ts'

/** All facts that the chain determines, without those that depend on the time of the read. */
export const dumpChainFacts = async (database: Database, chainId: number) => ({
  orders: (await database.select().from(orders).orderBy(orders.uid)).map(
    ({ createdAt: _, version: _version, admissionMs: _ms, ...order }) => order,
  ),
  trades: await database.select().from(trades).orderBy(trades.blockNumber, trades.logIndex),
  settlements: await database.select().from(settlements).orderBy(settlements.blockNumber, settlements.logIndex),
  invalidations: await database.select().from(invalidations).orderBy(invalidations.blockNumber),
  presignatures: await database.select().from(presignatures).orderBy(presignatures.blockNumber, presignatures.logIndex),
  executions: await database.select().from(executions).orderBy(executions.auctionId, executions.orderUid),
  events: (await database.select().from(orderEvents).orderBy(orderEvents.orderUid, orderEvents.id)).flatMap(
    ({ orderUid, key, label, auctionId, blockNumber }) =>
      label === 'undone' ? [] : [{ orderUid, key, auctionId, blockNumber }],
  ),
  outcomes: await database
    .select({ auctionId: settlementAttempts.auctionId, outcome: settlementAttempts.outcome })
    .from(settlementAttempts)
    .orderBy(asc(settlementAttempts.auctionId), asc(settlementAttempts.solutionUid)),
  blocks: await selectBlocks(database, chainId),
})
