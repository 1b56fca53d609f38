import { and, eq, gte, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../client.ts'
import { settlementAttempts } from '../tables/settlementAttempts.ts'
import { settlements } from '../tables/settlements.ts'
import { solutionOrders } from '../tables/solutions.ts'

/** The chain has not decided yet; a reorganisation undoes what later blocks said. */
export const reopenAttempts = (database: Database, chainId: number, fromBlock: number) =>
  database
    .update(settlementAttempts)
    .set({ outcome: null, endedAt: null, endBlock: null })
    .where(
      and(
        eq(settlementAttempts.chainId, chainId),
        inArray(settlementAttempts.outcome, ['success', 'timeout']),
        gte(settlementAttempts.endBlock, fromBlock),
      ),
    )

/** Attempts whose settlement is in `fromBlock` or later succeeded, whatever was thought of them before. */
export const closeSettledAttempts = (database: Database, chainId: number, fromBlock: number) =>
  database
    .update(settlementAttempts)
    .set({ outcome: 'success', endedAt: sql`now()`, endBlock: sql`${settlements.blockNumber}` })
    .from(settlements)
    .where(
      and(
        eq(settlementAttempts.chainId, chainId),
        eq(settlements.chainId, chainId),
        gte(settlements.blockNumber, fromBlock),
        eq(settlements.auctionId, settlementAttempts.auctionId),
        eq(settlements.solutionUid, settlementAttempts.solutionUid),
        sql`${settlementAttempts.outcome} is distinct from 'success'`,
      ),
    )

/** Attempts that the chain, indexed up to `block`, can no longer fulfil; run it after `closeSettledAttempts`. */
export const closeOverdueAttempts = (database: Database, chainId: number, block: number) =>
  database
    .update(settlementAttempts)
    .set({ outcome: 'timeout', endedAt: sql`now()`, endBlock: block })
    .where(
      and(
        eq(settlementAttempts.chainId, chainId),
        isNull(settlementAttempts.outcome),
        lte(settlementAttempts.deadlineBlock, block),
      ),
    )

/** Ends an attempt that still runs because its solver says that it failed. */
export const closeFailedAttempt = async (
  database: Database,
  attempt: { chainId: number; auctionId: number; solutionUid: number },
  failure: { outcome: string; block: number },
): Promise<void> => {
  await database
    .update(settlementAttempts)
    .set({ outcome: failure.outcome, endedAt: sql`now()`, endBlock: failure.block })
    .where(
      and(
        eq(settlementAttempts.chainId, attempt.chainId),
        eq(settlementAttempts.auctionId, attempt.auctionId),
        eq(settlementAttempts.solutionUid, attempt.solutionUid),
        isNull(settlementAttempts.outcome),
      ),
    )
}

/** Orders in flight, as a subquery with one column `uid`: a winner of theirs may still be settled. */
export const ordersInFlight = (chainId: number): SQL<{ uid: Hex }> => sql`(
  select distinct ${solutionOrders.orderUid} as uid
  from ${settlementAttempts} join ${solutionOrders}
    on ${solutionOrders.chainId} = ${settlementAttempts.chainId}
    and ${solutionOrders.auctionId} = ${settlementAttempts.auctionId}
    and ${solutionOrders.solutionUid} = ${settlementAttempts.solutionUid}
  where ${settlementAttempts.chainId} = ${chainId} and ${settlementAttempts.outcome} is null
)`
