import { type SQL, sql } from 'drizzle-orm'
import { solutionOrders } from '../../tables/auctions/solutions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlementFailures } from '../../tables/settlements/settlementFailures.ts'

/** Begins the outcome of an attempt that its solver reported as failed; the chain decides all other outcomes. */
export const reportedFailure = 'driver failed:'

/** Whether the solver reported the failure itself. */
export const isReported = (outcome: SQL): SQL => sql`starts_with(${outcome}, ${reportedFailure})`

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
