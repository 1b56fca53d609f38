import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { solutionOrders } from '../../tables/auctions/solutions.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { presignatures } from '../../tables/chain/presignatures.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { solverSuspensions } from '../../tables/settlements/solverSuspensions.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { reportedFailure } from './countFailures.ts'
import { selectSettlementFailures } from './selectSettlementFailures.ts'

export type Suspension = typeof solverSuspensions.$inferSelect

/** An ended attempt for the participation rule, see `computeSuspension`. */
export type JudgedRow = {
  solver: Address
  outcome: 'success' | 'timeout' | 'mismatch' | 'reverted'
  /** orders of the book */
  orders: Hex[]
  isExcused: boolean
  /** a failure, other than a mismatch, while the chain was reorganised */
  isReorganised: boolean
}

/** Most judged attempts of one solver. */
const maxAttempts = 50
/** Most examined orders of one attempt. */
const maxOrders = 50
/** Distance in auctions within which another solver's failure with the same order is searched. */
const rivalAuctions = 1_000

/**
 * Facts that decide the participation of solvers: the newest suspension of each, its ended attempts since then, newest
 * first, its newest attempt, the number of its unsettled wins, and all failures of orders. One round trip; the cost is
 * bounded for each solver for any history.
 */
export const selectParticipation = async (database: Database, chainId: number, solvers: readonly Address[]) => {
  const [suspensions, attempts, newest, failures, running] = await database.batch([
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
      .select({ solver: settlementAttempts.solver, wins: sql<number>`count(*)::integer` })
      .from(settlementAttempts)
      .where(and(eq(settlementAttempts.chainId, chainId), isNull(settlementAttempts.outcome)))
      .groupBy(settlementAttempts.solver),
  ])
  return {
    suspensions,
    attempts: attempts.rows[0]?.attempts ?? [],
    newestAuctions: new Map(newest.rows.map(({ solver, auctionId }) => [solver, Number(auctionId)])),
    failures,
    running: new Map(running.map(({ solver, wins }) => [solver, wins])),
  }
}

export type ParticipationFacts = Awaited<ReturnType<typeof selectParticipation>>

/** @returns whether it was new; idempotent */
export const insertSuspension = async (database: Database, suspension: Suspension): Promise<boolean> =>
  (await database.insert(solverSuspensions).values(suspension).onConflictDoNothing().returning()).length > 0

/** Accounts as a subquery with one column `solver`. */
const solverList = (solvers: readonly Address[]): SQL =>
  sql`(select decode(value, 'hex') as solver from jsonb_array_elements_text(${JSON.stringify(solvers.map((solver) => solver.slice(2)))}::jsonb))`

/**
 * The ended attempts of solvers since their newest suspensions, as one JSON array. A failure other than a mismatch is
 * excused when the chain ended the order before the attempt could: another solver traded it, or its owner withdrew it.
 * A revert is also excused when a different solver reverted with the same order and no other solver has filled it
 * since: the order is at fault.
 */
const selectJudgedAttempts = (chainId: number, solvers: readonly Address[]): SQL => sql`
  select coalesce(jsonb_agg(jsonb_build_object(
    'solver', '0x' || encode(a.solver, 'hex'),
    'outcome', case when starts_with(a.outcome, ${reportedFailure}) then 'reverted' else a.outcome end,
    'orders', coalesce(o.uids, '[]'),
    'isExcused', coalesce(o.is_excused, false),
    'isReorganised', a.undone_from is not null and a.outcome <> 'success' and a.outcome <> 'mismatch') order by a.auction_id desc, a.solution_uid), '[]') as attempts
  from ${solverList(solvers)} as s
  cross join lateral (
    select * from ${settlementAttempts} as attempt
    where attempt.chain_id = ${chainId} and attempt.solver = s.solver and attempt.outcome is not null
      and attempt.auction_id > coalesce((select max(auction_id) from ${solverSuspensions}
        where chain_id = ${chainId} and solver = s.solver), -1)
    order by attempt.auction_id desc nulls last, attempt.solution_uid limit ${maxAttempts}) as a
  left join lateral (
    select jsonb_agg('0x' || encode(b.order_uid, 'hex')) as uids,
      bool_or(a.outcome <> 'success' and a.outcome <> 'mismatch' and (${isTaken} or ${isFaulty})) as is_excused
    from (
      select so.order_uid from ${solutionOrders} as so
      join ${orders} as o on o.chain_id = so.chain_id and o.uid = so.order_uid and o.jit_block is null
      where so.chain_id = ${chainId} and so.auction_id = a.auction_id and so.solution_uid = a.solution_uid
      order by so.order_uid limit ${maxOrders}) as b) as o on true`

/** Order `b` had ended while attempt `a` ran. */
const isTaken = sql`(
  exists (select 1 from ${trades} as t
    join ${settlements} as st on st.chain_id = t.chain_id and st.block_number = t.block_number
      and st.log_index = t.settlement_log_index
    where t.chain_id = a.chain_id and t.order_uid = b.order_uid and st.solver <> a.solver
      and t.block_number between a.start_block and a.end_block)
  or exists (select 1 from ${invalidations} as i where i.chain_id = a.chain_id and i.order_uid = b.order_uid
    and i.block_number between a.start_block and a.end_block)
  or exists (select 1 from ${presignatures} as p where p.chain_id = a.chain_id and p.order_uid = b.order_uid
    and not p.signed and p.block_number between a.start_block and a.end_block))`

/** Both attempt `a` and one of another solver reverted with order `b`, which no other solver has filled since. */
const isFaulty = sql`(
  starts_with(a.outcome, ${reportedFailure})
  and exists (select 1 from ${solutionOrders} as ro
    join ${settlementAttempts} as r on r.chain_id = ro.chain_id and r.auction_id = ro.auction_id
      and r.solution_uid = ro.solution_uid
    where ro.chain_id = a.chain_id and ro.order_uid = b.order_uid
      and ro.auction_id between a.auction_id - ${rivalAuctions} and a.auction_id + ${rivalAuctions}
      and r.solver <> a.solver and starts_with(r.outcome, ${reportedFailure}))
  and not exists (select 1 from ${trades} as t
    join ${settlements} as st on st.chain_id = t.chain_id and st.block_number = t.block_number
      and st.log_index = t.settlement_log_index
    where t.chain_id = a.chain_id and t.order_uid = b.order_uid and st.solver <> a.solver
      and t.block_number > a.end_block))`
