import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { solutions } from '../../tables/auctions/solutions.ts'
import { type Blame, settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { solverSuspensions } from '../../tables/settlements/solverSuspensions.ts'
import { attemptOfSolution } from '../fragments/joins.ts'
import { reportedFailure } from './countFailures.ts'
import { selectSettlementFailures } from './selectSettlementFailures.ts'
import { selectUnattributed } from './settlementAttempts.ts'
import { solverDebts } from './solverDebts.ts'

export type Suspension = typeof solverSuspensions.$inferSelect

/** An ended attempt for the participation rule, see `computeSuspension`. */
export type JudgedRow = {
  solver: Address
  outcome: 'success' | 'timeout' | 'mismatch' | 'reverted'
  blame: Blame['party'] | null
  /** Unix milliseconds */
  endedAt: number
}

/** Most judged attempts of one solver. */
export const maxAttempts = 50

/**
 * Facts that decide the participation of solvers: the newest suspension of each, its ended attempts since then, newest
 * first, its newest attempt, its unsettled wins with their score in wei, its debt, and the failures that count against
 * solvers. One round trip; the cost is bounded for each solver for any history.
 */
export const selectParticipation = async (database: Database, chainId: number, solvers: readonly Address[]) => {
  const [suspensions, attempts, newest, failures, running, unattributed, debts] = await database.batch([
    database
      .selectDistinctOn([solverSuspensions.solver])
      .from(solverSuspensions)
      .where(and(eq(solverSuspensions.chainId, chainId), sql`${solverSuspensions.solver} in ${solverList(solvers)}`))
      .orderBy(solverSuspensions.solver, sql`${solverSuspensions.auctionId} desc`),
    database.execute<{ attempts: JudgedRow[] }>(selectJudgedAttempts(chainId, solvers)),
    database.execute<{ solver: Address; auctionId: string }>(sql`
      select '0x' || encode(s.solver, 'hex') as solver, a.auction_id as "auctionId" from ${solverList(solvers)} as s
      cross join lateral (select auction_id from ${settlementAttempts} where chain_id = ${chainId} and solver = s.solver
        order by auction_id desc nulls last limit 1) as a`),
    selectSettlementFailures(database, chainId),
    database
      .select({
        solver: settlementAttempts.solver,
        wins: sql<number>`count(*)::integer`,
        score: sql<bigint>`coalesce(sum(${solutions.score}), 0)`.mapWith(BigInt),
      })
      .from(settlementAttempts)
      .leftJoin(solutions, attemptOfSolution)
      .where(and(eq(settlementAttempts.chainId, chainId), isNull(settlementAttempts.outcome)))
      .groupBy(settlementAttempts.solver),
    selectUnattributed(database, chainId),
    database.execute<{ solver: Address; debt: string }>(sql`
      select '0x' || encode(solver, 'hex') as solver, debt::text as debt from ${solverDebts(chainId)} as debts`),
  ])
  return {
    suspensions,
    unattributed,
    attempts: attempts.rows[0]?.attempts ?? [],
    newestAuctions: new Map(newest.rows.map(({ solver, auctionId }) => [solver, Number(auctionId)])),
    failures: failures.filter(({ faults }) => faults > 0),
    /** unpaid, wei */
    debts: new Map(debts.rows.map(({ solver, debt }) => [solver, BigInt(debt)])),
    running: new Map(running.map(({ solver, ...unsettled }) => [solver, unsettled])),
  }
}

export type ParticipationFacts = Awaited<ReturnType<typeof selectParticipation>>

/** @returns whether it was new; idempotent */
export const insertSuspension = async (database: Database, suspension: Suspension): Promise<boolean> =>
  (await database.insert(solverSuspensions).values(suspension).onConflictDoNothing().returning()).length > 0

/** Accounts as a subquery with one column `solver`. */
const solverList = (solvers: readonly Address[]): SQL =>
  sql`(select decode(value, 'hex') as solver from jsonb_array_elements_text(${JSON.stringify(solvers.map((solver) => solver.slice(2)))}::jsonb))`

/** The ended attempts of solvers since their newest suspensions, as one JSON array. */
const selectJudgedAttempts = (chainId: number, solvers: readonly Address[]): SQL => sql`
  select coalesce(jsonb_agg(jsonb_build_object(
    'solver', '0x' || encode(a.solver, 'hex'),
    'outcome', case when starts_with(a.outcome, ${reportedFailure}) then 'reverted' else a.outcome end,
    'blame', a.blame->>'party',
    'endedAt', floor(extract(epoch from a.ended_at) * 1000)) order by a.auction_id desc, a.solution_uid), '[]') as attempts
  from ${solverList(solvers)} as s
  cross join lateral (
    select * from ${settlementAttempts} as attempt
    where attempt.chain_id = ${chainId} and attempt.solver = s.solver and attempt.outcome is not null
      and attempt.auction_id > coalesce((select max(auction_id) from ${solverSuspensions}
        where chain_id = ${chainId} and solver = s.solver), -1)
    order by attempt.auction_id desc nulls last, attempt.solution_uid limit ${maxAttempts}) as a`
