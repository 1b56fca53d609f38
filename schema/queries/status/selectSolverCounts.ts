import { type SQL, sql } from 'drizzle-orm'
import { auctions } from '../../tables/auctions/auctions.ts'
import { solutions } from '../../tables/auctions/solutions.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'

/** An auction has a row when any solver had a solution. */
export const selectSolvedAuctions = (chainId: number): SQL => sql`
  select id, created_at, row_number() over (order by id desc) - 1 as auctions_after
  from ${auctions} where chain_id = ${chainId} and created_at > now() - interval '24 hours'`

/**
 * `offset 0` prevents the planner from reading all solutions for those of a day: each auction's are found by the key.
 */
export const selectSolverCounts = (chainId: number): SQL => sql`
  select s.solver, 1 as solutions, s.is_winner::integer as wins, 0 as attempts, 0 as successes, 0 as failures,
    a.created_at as solved_at, a.auctions_after
  from (${selectSolvedAuctions(chainId)}) as a
  cross join lateral (
    select solver, is_winner from ${solutions} where chain_id = ${chainId} and auction_id = a.id offset 0) as s
  union all
  select solver, 0, 0, 1, (outcome is not distinct from 'success')::integer,
    (outcome is not null and outcome <> 'success')::integer, null, null
  from ${settlementAttempts} where chain_id = ${chainId} and started_at > now() - interval '24 hours'`
