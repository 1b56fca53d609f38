import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { solutions } from '../../tables/auctions/solutions.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { reportedFailure } from '../settlements/countFailures.ts'
import { windowStart } from './networkStatistics.ts'

/** Results of one solver in a window. */
export type SolverTotals = {
  /** auctions with a valid solution of it */
  auctions: number
  /** winning solutions */
  wins: number
  /** wins settled as promised */
  settled: number
  /** wins that its driver reported as failed: a revert, or a failed simulation */
  reverted: number
  /** wins not settled by their deadline */
  timedOut: number
  /** wins settled for less than promised */
  mismatched: number
  /** wins whose settlement is not decided yet */
  running: number
  /** gain of its trades over their limit prices, wei, decimal string */
  surplus: string
}

export type SolverStatistics = { address: Address } & Record<'day' | 'week', SolverTotals>

const counts = ['auctions', 'wins', 'settled', 'reverted', 'timedOut', 'mismatched', 'running'] as const

/**
 * Results of every solver with activity in the last week; most surplus of the week first. Reads the index entries of a
 * week, so not for every request. A win belongs to the time of its settlement request, surplus to the time of its
 * block.
 */
export const selectSolverStatistics = async (database: Database, chainId: number): Promise<SolverStatistics[]> => {
  const { rows } = await database.execute<{ row: SolverStatistics }>(sql`
    with activity as (
      ${selectParticipation(chainId)}
      union all ${selectAttempts(chainId)}
      union all ${selectSurplus(chainId)}
    )
    select jsonb_build_object('address', '0x' || encode(solver, 'hex'), 'day', ${totals(sql`is_day`)},
      'week', ${totals(sql`true`)}) as row
    from activity group by solver order by coalesce(sum(surplus), 0) desc, solver`)
  return rows.map(({ row }) => row)
}

const totals = (isInWindow: SQL): SQL => {
  const fields = counts.map(
    (name) => sql`${sql.raw(`'${name}'`)}, coalesce(sum(${sql.identifier(name)}) filter (where ${isInWindow}), 0)`,
  )
  return sql`jsonb_build_object(${sql.join(fields, sql`, `)},
    'surplus', coalesce(sum(surplus) filter (where ${isInWindow}), 0)::text)`
}

/** First auction of a window: ids and times of auctions rise together. */
const firstAuction = (chainId: number, start: SQL): SQL =>
  sql`(select id from ${auctions} where chain_id = ${chainId} and created_at >= ${start} order by created_at limit 1)`

/** One row for each solver and part of the week; a solver may have several solutions in an auction. */
const selectParticipation = (chainId: number): SQL => sql`
  select solver, is_day, count(*) as auctions, sum(wins) as wins, 0 as settled, 0 as reverted, 0 as "timedOut",
    0 as mismatched, 0 as running, 0::numeric as surplus
  from (
    select solver, auction_id >= ${firstAuction(chainId, windowStart.day)} is true as is_day,
      count(*) filter (where is_winner) as wins
    from ${solutions}
    where chain_id = ${chainId} and auction_id >= ${firstAuction(chainId, windowStart.week)}
    group by auction_id, solver) as each
  group by solver, is_day`

const selectAttempts = (chainId: number): SQL => sql`
  select solver, started_at >= ${windowStart.day}, 0, 0, count(*) filter (where outcome = 'success'),
    count(*) filter (where starts_with(outcome, ${reportedFailure})), count(*) filter (where outcome = 'timeout'),
    count(*) filter (where outcome = 'mismatch'), count(*) filter (where outcome is null), 0
  from ${settlementAttempts}
  where chain_id = ${chainId} and started_at >= ${windowStart.week}
  group by 1, 2`

const selectSurplus = (chainId: number): SQL => sql`
  select solver, settled_at >= ${windowStart.day}, 0, 0, 0, 0, 0, 0, 0, coalesce(sum(surplus), 0)
  from ${tradeValues}
  where chain_id = ${chainId} and settled_at >= ${windowStart.week}
  group by 1, 2`
