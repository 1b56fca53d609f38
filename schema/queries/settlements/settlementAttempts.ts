import { and, desc, eq, isNull, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { solutionOrders } from '../../tables/auctions/solutions.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { type Blame, settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { countFailures, reportedFailure, uncountFailures } from './countFailures.ts'
import { closeAttemptsAsFailed } from './settlementFailures.ts'

/**
 * Reopens the attempts that undone blocks decided and retracts the failures that they counted for their orders. Reports
 * of solvers stay, since they do not come from the chain. Failures that an undone fill removed do not come back. These
 * attempts and all running ones store the first undone block, which can excuse them (`computeSuspension`).
 */
export const reopenAttempts = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    with decided as (
      select chain_id, auction_id, solution_uid, blame from ${settlementAttempts}
      where chain_id = ${chainId} and end_block >= ${fromBlock} and not starts_with(outcome, ${reportedFailure})
      for update
    ),
    reopened as (
      update ${settlementAttempts} a set outcome = null, ended_at = null, end_block = null, blame = null,
        undone_from = least(a.undone_from, ${fromBlock}::bigint)
      from decided d
      where a.chain_id = d.chain_id and a.auction_id = d.auction_id and a.solution_uid = d.solution_uid
      returning a.chain_id, a.auction_id, a.solution_uid, a.solver, d.blame
    ),
    disturbed as (
      update ${settlementAttempts} set undone_from = least(undone_from, ${fromBlock}::bigint)
      where chain_id = ${chainId} and outcome is null
    ),
    ${uncountFailures(sql`reopened`)}
    select count(*) from reopened`)

/**
 * Marks attempts with a settlement in `fromBlock` or later as settled, overriding their earlier outcome: `success`,
 * which retracts a counted failure, or `mismatch`, a failure, when an order got less than promised. A settlement after
 * the deadline keeps its promise too late: the attempt is a `timeout`, whenever the blocks are indexed.
 */
export const closeSettledAttempts = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    with settled as (
      select a.chain_id, a.auction_id, a.solution_uid, a.outcome as former, a.blame as former_blame, s.block_number, s.mismatch,
        case when s.mismatch is null then 'success' else 'mismatch' end as outcome
      from ${settlementAttempts} a
      join ${settlements} s on s.chain_id = a.chain_id and s.auction_id = a.auction_id
        and s.solution_uid = a.solution_uid
      where a.chain_id = ${chainId} and s.block_number >= ${fromBlock}
        and (s.mismatch is not null or s.block_number <= a.deadline_block)
        and a.outcome is distinct from case when s.mismatch is null then 'success' else 'mismatch' end
      for update of a
    ),
    closed as (
      update ${settlementAttempts} a set outcome = s.outcome, ended_at = now(), end_block = s.block_number,
        blame = case when s.outcome = 'mismatch' then ${JSON.stringify(mismatchBlame)}::jsonb || jsonb_build_object('debt', (
          select coalesce(sum((value->>'debt')::numeric), 0)::text from jsonb_array_elements(s.mismatch))) end
      from settled s
      where a.chain_id = s.chain_id and a.auction_id = s.auction_id and a.solution_uid = s.solution_uid
      returning a.chain_id, a.auction_id, a.solution_uid, a.solver, s.former_blame, a.outcome, a.blame, a.end_block as block
    ),
    ${uncountFailures(sql`(select chain_id, auction_id, solution_uid, solver, former_blame as blame from closed where outcome = 'success')`)}
    ${countFailures(sql`(select * from closed where former_blame is null)`)}`)

/** A mined settlement paid an order less than the solution promised, which the solver alone controls. */
const mismatchBlame: Blame = {
  party: 'solver',
  orders: [],
  reason: 'the settlement paid less than the solution promised',
}

/** Failed attempts of the newest blocks that are not attributed yet, newest first. */
export const selectUnattributed = (database: Database, chainId: number) =>
  database
    .select({
      auctionId: settlementAttempts.auctionId,
      solutionUid: settlementAttempts.solutionUid,
      solver: settlementAttempts.solver,
      startBlock: settlementAttempts.startBlock,
      deadlineBlock: settlementAttempts.deadlineBlock,
      endBlock: sql<number>`${settlementAttempts.endBlock}`.mapWith(Number),
      undoneFrom: settlementAttempts.undoneFrom,
    })
    .from(settlementAttempts)
    .where(
      and(
        eq(settlementAttempts.chainId, chainId),
        sql`${settlementAttempts.endBlock} > (select max(number) - ${attributedBlocks} from ${blocks} where chain_id = ${chainId})`,
        ne(settlementAttempts.outcome, 'success'),
        isNull(settlementAttempts.blame),
      ),
    )
    .orderBy(desc(settlementAttempts.auctionId), settlementAttempts.solutionUid)
    .limit(maxUnattributed)

const maxUnattributed = 3
/** Older failures have no state at the node any more. */
const attributedBlocks = 100

/** Attempts that can no longer settle, with the chain indexed up to `block`; runs after `closeSettledAttempts`. */
export const closeOverdueAttempts = (database: Database, chainId: number, block: number) =>
  closeAttemptsAsFailed(database, chainId, lte(settlementAttempts.deadlineBlock, block), {
    outcome: 'timeout',
    block,
    blame: null,
  })

/**
 * Ends a running attempt that its solver reported as failed: its settlement reverted or failed in simulation.
 * @param failure `cause` for the public; `block` is the newest one; `blame` null: attributed later
 */
export const closeFailedAttempt = async (
  database: Database,
  attempt: { chainId: number; auctionId: number; solutionUid: number },
  failure: { cause: string; block: number; blame: Blame | null },
): Promise<void> => {
  await closeAttemptsAsFailed(
    database,
    attempt.chainId,
    and(eq(settlementAttempts.auctionId, attempt.auctionId), eq(settlementAttempts.solutionUid, attempt.solutionUid)),
    { ...failure, outcome: `${reportedFailure} ${failure.cause}` },
  )
}

/**
 * Orders in flight, as a subquery with the columns `uid` and `sell`, sell token atoms: a winner may still settle them.
 */
export const ordersInFlight = (chainId: number): SQL<{ uid: Hex; sell: bigint }> => sql`(
  select ${solutionOrders.orderUid} as uid, sum(${solutionOrders.executedSell}) as sell
  from ${settlementAttempts} join ${solutionOrders}
    on ${solutionOrders.chainId} = ${settlementAttempts.chainId}
    and ${solutionOrders.auctionId} = ${settlementAttempts.auctionId}
    and ${solutionOrders.solutionUid} = ${settlementAttempts.solutionUid}
  where ${settlementAttempts.chainId} = ${chainId} and ${settlementAttempts.outcome} is null
  group by ${solutionOrders.orderUid}
)`
