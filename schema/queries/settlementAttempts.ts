import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../client.ts'
import { settlementAttempts } from '../tables/settlementAttempts.ts'
import { settlements } from '../tables/settlements.ts'
import { solutionOrders } from '../tables/solutions.ts'
import { closeAttemptsAsFailed, reportedFailure, uncountFailures } from './settlementFailures.ts'

/**
 * Reopens the attempts that undone blocks decided, and takes back the failures that they counted for their orders. What a
 * solver reported stays: the chain did not say it. Failures that an undone fill removed do not come back.
 */
export const reopenAttempts = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    with decided as (
      select chain_id, auction_id, solution_uid, outcome from ${settlementAttempts}
      where chain_id = ${chainId} and end_block >= ${fromBlock} and not starts_with(outcome, ${reportedFailure})
      for update
    ),
    reopened as (
      update ${settlementAttempts} a set outcome = null, ended_at = null, end_block = null
      from decided d
      where a.chain_id = d.chain_id and a.auction_id = d.auction_id and a.solution_uid = d.solution_uid
      returning a.chain_id, a.auction_id, a.solution_uid, a.solver, d.outcome as former
    ),
    ${uncountFailures(sql`reopened`)}
    select count(*) from reopened`)

/**
 * Attempts whose settlement is in `fromBlock` or later succeeded, whatever was recorded before: a failure that they counted
 * is taken back.
 */
export const closeSettledAttempts = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    with settled as (
      select a.chain_id, a.auction_id, a.solution_uid, a.outcome, s.block_number
      from ${settlementAttempts} a
      join ${settlements} s on s.chain_id = a.chain_id and s.auction_id = a.auction_id
        and s.solution_uid = a.solution_uid
      where a.chain_id = ${chainId} and s.block_number >= ${fromBlock} and a.outcome is distinct from 'success'
      for update of a
    ),
    succeeded as (
      update ${settlementAttempts} a set outcome = 'success', ended_at = now(), end_block = s.block_number
      from settled s
      where a.chain_id = s.chain_id and a.auction_id = s.auction_id and a.solution_uid = s.solution_uid
      returning a.chain_id, a.auction_id, a.solution_uid, a.solver, s.outcome as former
    ),
    ${uncountFailures(sql`succeeded`)}
    select count(*) from succeeded`)

/** Attempts that the chain, indexed up to `block`, can no longer fulfil; run it after `closeSettledAttempts`. */
export const closeOverdueAttempts = (database: Database, chainId: number, block: number) =>
  closeAttemptsAsFailed(database, chainId, lte(settlementAttempts.deadlineBlock, block), { outcome: 'timeout', block })

/**
 * Ends a running attempt because its solver reports that it failed: its settlement reverted, or failed in simulation.
 * @param failure `cause` in the solver's words; `block` is the newest one
 */
export const closeFailedAttempt = async (
  database: Database,
  attempt: { chainId: number; auctionId: number; solutionUid: number },
  failure: { cause: string; block: number },
): Promise<void> => {
  await closeAttemptsAsFailed(
    database,
    attempt.chainId,
    and(eq(settlementAttempts.auctionId, attempt.auctionId), eq(settlementAttempts.solutionUid, attempt.solutionUid)),
    { outcome: `${reportedFailure} ${failure.cause}`.slice(0, maxOutcomeLength), block: failure.block },
  )
}

const maxOutcomeLength = 1_000

/** Orders in flight, as a subquery with one column `uid`: a winner of theirs may still be settled. */
export const ordersInFlight = (chainId: number): SQL<{ uid: Hex }> => sql`(
  select distinct ${solutionOrders.orderUid} as uid
  from ${settlementAttempts} join ${solutionOrders}
    on ${solutionOrders.chainId} = ${settlementAttempts.chainId}
    and ${solutionOrders.auctionId} = ${settlementAttempts.auctionId}
    and ${solutionOrders.solutionUid} = ${settlementAttempts.solutionUid}
  where ${settlementAttempts.chainId} = ${chainId} and ${settlementAttempts.outcome} is null
)`
