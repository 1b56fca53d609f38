import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { ageInSeconds } from '../fragments/ageInSeconds.ts'
import { selectFills } from './selectFills.ts'
import { selectObject } from './selectObject.ts'
import { selectSolvedAuctions, selectSolverCounts } from './selectSolverCounts.ts'

/** Activity of the last 24 hours. */
export type RecentStatus = {
  /** those with most wins and settlement requests first */
  solvers: {
    address: Address
    solutions: number
    wins: number
    attempts: number
    successes: number
    failures: number
    /** since the newest auction with a valid solution of this solver; null without one */
    lastSolutionAgeSeconds: number | null
    /** later auctions for which other solvers had a solution; null without one */
    missedAuctions: number | null
  }[]
  /** auctions with a solution of any solver */
  solvedAuctions: number
  /** oldest first, the current hour included */
  hours: {
    hour: string
    quotes: number
    quoteP95Ms: number | null
    submissions: number
    submissionP95Ms: number | null
    fills: number
  }[]
}

/** Activity of solvers and new orders by hour: reads a day of rows, so not for every request. */
export const selectRecentStatus = async (database: Database, chainId: number): Promise<RecentStatus> =>
  selectObject(
    database,
    sql`jsonb_build_object(
      'solvers', (
        select coalesce(jsonb_agg(s order by s.wins desc, s.attempts desc, s.address), '[]') from (
          select '0x' || encode(solver, 'hex') as address, sum(solutions) as solutions, sum(wins) as wins,
            sum(attempts) as attempts, sum(successes) as successes, sum(failures) as failures,
            ${ageInSeconds(sql`max(solved_at)`)} as "lastSolutionAgeSeconds", min(auctions_after) as "missedAuctions"
          from (${selectSolverCounts(chainId)}) as counts group by solver) as s),
      'solvedAuctions', (select count(*) from (${selectSolvedAuctions(chainId)}) as solved),
      'hours', (
        select jsonb_agg(jsonb_build_object(
          'hour', to_char(h at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
          'quotes', coalesce(q.count, 0), 'quoteP95Ms', q.p95,
          'submissions', coalesce(o.count, 0), 'submissionP95Ms', o.p95,
          'fills', coalesce(f.count, 0)) order by h)
        from generate_series(${firstHour}, date_trunc('hour', now()), interval '1 hour') as h
        left join (${selectHourly(quotes, sql`elapsed_ms`, chainId)}) as q on q.hour = h
        left join (${selectHourly(orders, sql`admission_ms`, chainId)}) as o on o.hour = h
        left join (
          select date_trunc('hour', settled_at) as hour, count(*) from ${selectFills(chainId, firstHour)} as fills
          group by 1) as f on f.hour = h))`,
  )

const firstHour = sql`date_trunc('hour', now()) - interval '23 hours'`

const selectHourly = (table: typeof quotes | typeof orders, column: SQL, chainId: number): SQL => sql`
  select date_trunc('hour', created_at) as hour, count(*), percentile_disc(0.95) within group (order by ${column}) as p95
  from ${table} where chain_id = ${chainId} and created_at >= ${firstHour} and ${column} is not null group by 1`
