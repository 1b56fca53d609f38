import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { solutionOrders } from '../../tables/auctions/solutions.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlementFailures } from '../../tables/settlements/settlementFailures.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { lastValidSecond } from '../fragments/lastValidSecond.ts'

/** Begins the outcome of an attempt that its solver reported as failed; the chain decides all other outcomes. */
export const reportedFailure = 'driver failed:'

const isReported = (outcome: SQL): SQL => sql`starts_with(${outcome}, ${reportedFailure})`

/**
 * Closes running attempts as failed and counts the failure for each of their orders, in one statement. Each attempt
 * counts once, however often this runs. Just-in-time orders are not counted. The block of a failure lies between the
 * start and the deadline of its attempt, whatever a node or solver reports.
 * @param which condition on `settlement_attempts`, besides the chain and the running state
 * @param end `outcome` as in `settlement_attempts`; `block` at which the failure became known
 */
export const closeAttemptsAsFailed = (
  database: Database,
  chainId: number,
  which: SQL | undefined,
  end: { outcome: string; block: number },
) =>
  database.execute(sql`
    with closed as (
      update ${settlementAttempts} set outcome = ${end.outcome}, ended_at = now(), end_block = ${end.block}::bigint
      where ${eq(settlementAttempts.chainId, chainId)} and ${settlementAttempts.outcome} is null and ${which ?? sql`true`}
      returning chain_id, auction_id, solution_uid, solver, outcome, ${isReported(sql`outcome`)} as reverted,
        least(greatest(end_block, start_block), deadline_block) as block
    )
    ${countFailures(sql`closed`)}`)

/**
 * Ends a statement: counts failed attempts for each of their orders. Just-in-time orders are not counted.
 * @param failed CTE with the columns chain_id, auction_id, solution_uid, solver, outcome, reverted and block
 */
export const countFailures = (failed: SQL): SQL => sql`
    insert into ${settlementFailures} (chain_id, order_uid, solver, account, failures, reverts, last_outcome, last_block, last_revert_block)
    select closed.chain_id, o.uid, closed.solver, coalesce(o.onchain_user, o.owner), count(*), count(*) filter (where reverted), max(outcome), max(block),
      max(block) filter (where reverted)
    from ${failed} as closed
    join ${solutionOrders} s on s.chain_id = closed.chain_id and s.auction_id = closed.auction_id
      and s.solution_uid = closed.solution_uid
    join ${orders} o on o.chain_id = s.chain_id and o.uid = s.order_uid and o.jit_block is null
    group by closed.chain_id, o.uid, o.onchain_user, o.owner, closed.solver
    order by o.uid, closed.solver
    on conflict (chain_id, order_uid, solver) do update set
      account = excluded.account,
      failures = ${settlementFailures.failures} + excluded.failures,
      reverts = ${settlementFailures.reverts} + excluded.reverts,
      last_outcome = excluded.last_outcome,
      last_block = greatest(${settlementFailures.lastBlock}, excluded.last_block),
      last_revert_block = greatest(${settlementFailures.lastRevertBlock}, excluded.last_revert_block),
      failed_at = now()`

/**
 * CTEs that retract the failures of attempts that no longer count as failed; the caller ends the statement.
 * @param revised subquery with the columns chain_id, auction_id, solution_uid and solver of the attempts, and their
 * former outcome; rows whose former outcome is not a failure are ignored
 */
export const uncountFailures = (revised: SQL): SQL => sql`
    uncounted as (
      select s.chain_id, s.order_uid, r.solver, count(*) as failures,
        count(*) filter (where ${isReported(sql`r.former`)}) as reverts
      from ${revised} as r
      join ${solutionOrders} s on s.chain_id = r.chain_id and s.auction_id = r.auction_id
        and s.solution_uid = r.solution_uid
      where r.former <> 'success'
      group by s.chain_id, s.order_uid, r.solver
    ),
    emptied as (
      delete from ${settlementFailures} f using uncounted u
      where f.chain_id = u.chain_id and f.order_uid = u.order_uid and f.solver = u.solver and f.failures <= u.failures
    ),
    lowered as (
      update ${settlementFailures} f set failures = f.failures - u.failures, reverts = greatest(f.reverts - u.reverts, 0)
      from uncounted u
      where f.chain_id = u.chain_id and f.order_uid = u.order_uid and f.solver = u.solver and f.failures > u.failures
    )`

/**
 * Blocks for which failures of orders that can no longer trade count for their account: four times the longest
 * back-off.
 */
const keptFailureBlocks = 256

/**
 * Deletes the failures of orders that were filled later, in part or whole, and old ones of orders that can no longer
 * trade. Runs after attempts are closed. The cost depends on the number of failing orders and of trades since
 * `fromBlock`.
 * @param toBlock the newest block, already stored
 */
export const deleteResolvedFailures = (database: Database, chainId: number, fromBlock: number, toBlock: number) =>
  database.execute(sql`
    delete from ${settlementFailures} f
    where f.chain_id = ${chainId} and (
      exists (select 1 from ${trades} t where t.chain_id = f.chain_id and t.order_uid = f.order_uid
        and t.block_number >= ${fromBlock} and t.block_number > f.last_block)
      or f.last_block < ${toBlock - keptFailureBlocks} and exists (select 1 from ${orders} where ${orders.chainId} = f.chain_id and ${orders.uid} = f.order_uid
        and (${orders.cancelledAt} is not null or ${lastValidSecond} < (
          select extract(epoch from timestamp)::bigint from ${blocks} where chain_id = ${chainId} and number = ${toBlock})))
    )`)

/** Failures are at most at the chain's newest block, so that a reorganisation cannot keep an order waiting. */
export const lowerFailureBlocks = (database: Database, chainId: number, undoFrom: number) =>
  database.execute(sql`
    update ${settlementFailures} set
      last_block = least(last_block, ${undoFrom - 1}::bigint),
      last_revert_block = least(last_revert_block, case when last_revert_block is not null then ${undoFrom - 1}::bigint end)
    where chain_id = ${chainId} and last_block >= ${undoFrom}`)

/** The account of an order: its owner, or the on-chain user of the contract that placed it. */
const account = sql<Address>`coalesce(${orders.onchainUser}, ${orders.owner})`

const accountOf = (chainId: number, uid: Hex): SQL => sql`(select coalesce(o.onchain_user, o.owner) from ${orders} o
  where o.chain_id = ${chainId} and o.uid = ${sql.param(uid, orders.uid)})`

/**
 * Failures of all orders of a chain, or of the account of one order. Those of an account are read by an index; a row without a
 * stored account is compared by its order.
 */
export const selectSettlementFailures = (database: Database, chainId: number, uid?: Hex) =>
  database
    .select({
      orderUid: settlementFailures.orderUid,
      account: account.mapWith(orders.owner),
      solver: settlementFailures.solver,
      failures: settlementFailures.failures,
      reverts: settlementFailures.reverts,
      lastOutcome: settlementFailures.lastOutcome,
      lastBlock: settlementFailures.lastBlock,
      lastRevertBlock: settlementFailures.lastRevertBlock,
    })
    .from(settlementFailures)
    .innerJoin(orders, and(eq(orders.chainId, settlementFailures.chainId), eq(orders.uid, settlementFailures.orderUid)))
    .where(
      and(
        eq(settlementFailures.chainId, chainId),
        uid &&
          sql`${account} = ${accountOf(chainId, uid)}
            and (${settlementFailures.account} = ${accountOf(chainId, uid)} or ${settlementFailures.account} is null)`,
      ),
    )
    .orderBy(settlementFailures.orderUid, settlementFailures.solver)
