import { type SQL, sql } from 'drizzle-orm'
import { solutionOrders } from '../../tables/auctions/solutions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlementFailures } from '../../tables/settlements/settlementFailures.ts'

/** Begins the outcome of an attempt that its solver reported as failed; the chain decides all other outcomes. */
export const reportedFailure = 'driver failed:'

/**
 * Ends a statement: counts attributed failures of attempts for each of their orders. Just-in-time orders are not
 * counted.
 * @param failed CTE with the columns chain_id, auction_id, solution_uid, solver, outcome, blame and block
 */
export const countFailures = (failed: SQL): SQL => sql`
    insert into ${settlementFailures} (chain_id, order_uid, solver, failures, reverts, faults, last_outcome, last_block, last_revert_block)
    select closed.chain_id, o.uid, closed.solver, count(*), count(*) filter (where ${isWaiting(sql`closed`, sql`o.uid`)}),
      sum(${faultsOf(sql`closed`)}), max(outcome), max(block),
      max(block) filter (where ${isWaiting(sql`closed`, sql`o.uid`)})
    from ${failed} as closed
    join ${solutionOrders} s on s.chain_id = closed.chain_id and s.auction_id = closed.auction_id
      and s.solution_uid = closed.solution_uid
    join ${orders} o on o.chain_id = s.chain_id and o.uid = s.order_uid and o.jit_block is null
    where closed.blame is not null
    group by closed.chain_id, o.uid, closed.solver
    order by o.uid, closed.solver
    on conflict (chain_id, order_uid, solver) do update set
      failures = ${settlementFailures.failures} + excluded.failures,
      reverts = ${settlementFailures.reverts} + excluded.reverts,
      faults = ${settlementFailures.faults} + excluded.faults,
      last_outcome = excluded.last_outcome,
      last_block = greatest(${settlementFailures.lastBlock}, excluded.last_block),
      last_revert_block = greatest(${settlementFailures.lastRevertBlock}, excluded.last_revert_block),
      failed_at = now()`

/** Weight of a failure against the solver, see `settlementFailures`. */
const faultsOf = (attempt: SQL): SQL =>
  sql`case when ${attempt}.blame->>'party' = 'solver' or ${attempt}.blame ? 'sentNothing' then 12
    when ${attempt}.blame->>'party' = 'none' then least(coalesce((${attempt}.blame->>'movedBlocks')::integer, 4), 4)
    else 0 end`

/** Whether an order waits after a failure. */
const isWaiting = (attempt: SQL, uid: SQL): SQL => sql`${attempt}.blame->'orders' ? ('0x' || encode(${uid}, 'hex'))`

/**
 * CTEs that retract the failures of attempts that no longer count as failed; the caller ends the statement.
 * @param revised subquery with the columns chain_id, auction_id, solution_uid and solver of the attempts, and their
 * former blame; rows without one are ignored
 */
export const uncountFailures = (revised: SQL): SQL => sql`
    uncounted as (
      select s.chain_id, s.order_uid, r.solver, count(*) as failures,
        count(*) filter (where ${isWaiting(sql`r`, sql`s.order_uid`)}) as reverts,
        sum(${faultsOf(sql`r`)}) as faults
      from ${revised} as r
      join ${solutionOrders} s on s.chain_id = r.chain_id and s.auction_id = r.auction_id
        and s.solution_uid = r.solution_uid
      where r.blame is not null
      group by s.chain_id, s.order_uid, r.solver
    ),
    emptied as (
      delete from ${settlementFailures} f using uncounted u
      where f.chain_id = u.chain_id and f.order_uid = u.order_uid and f.solver = u.solver and f.failures <= u.failures
    ),
    lowered as (
      update ${settlementFailures} f set failures = f.failures - u.failures, reverts = greatest(f.reverts - u.reverts, 0),
        faults = greatest(f.faults - u.faults, 0)
      from uncounted u
      where f.chain_id = u.chain_id and f.order_uid = u.order_uid and f.solver = u.solver and f.failures > u.failures
    )`
