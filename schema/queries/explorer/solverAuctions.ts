import { and, asc, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { solutionOrders, solutions } from '../../tables/auctions/solutions.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { attemptOfSolution, ordersOfSolution, settlementOfAttempt } from '../fragments/joins.ts'
import { solverDebts } from '../settlements/solverDebts.ts'
import { type CurrentSuspension, suspensionsOf } from '../status/selectSuspensions.ts'
import { scanPage } from './scanPage.ts'

/** A solution of the solver, or one that won. */
export type AuctionSolution = {
  uid: number
  solver: Address
  score: bigint
  isWinner: boolean
  filteredOut: boolean
  /** ms; null: recorded before it was stored */
  responseMs: number | null
  orders: Map<Hex, { sellToken: Address; buyToken: Address }>
}

/**
 * Auctions in which a solver had a valid solution or was left out, newest first, with its solutions and all winners. A page
 * reads at most a thousand further auctions, so that it may be short or empty and still have a next one. Losing solutions
 * of archived auctions are not among them.
 * @param before exclusive upper bound of the ids
 * @param onlyPast leaves out auctions before their deadline
 * @returns `next`: where the next page begins; null at the end
 */
export const selectSolverAuctions = async (
  database: Database,
  chainId: number,
  solver: Address,
  { before, limit, onlyPast = false }: { before?: number | undefined; limit: number; onlyPast?: boolean },
) => {
  const isListed = and(
    eq(auctions.chainId, chainId),
    before === undefined ? undefined : lt(auctions.id, before),
    onlyPast
      ? sql`${auctions.deadlineBlock} <= (select max(number) from ${blocks} where chain_id = ${chainId})`
      : undefined,
  )
  const hasSolution = sql`exists (select 1 from ${solutions} where ${and(
    eq(solutions.chainId, chainId),
    eq(solutions.auctionId, auctions.id),
    eq(solutions.solver, solver),
  )})`
  const isLeftOut = sql`${auctions.leftOut} @> ${JSON.stringify([{ solver }])}::jsonb`
  const order = sql`${auctions.id} desc`
  const { rows, edge } = scanPage(
    {
      ...{ table: auctions, key: sql`${auctions.id}`, order, matches: or(hasSolution, isLeftOut) },
      sources: [(most) => sql`select id, left_out from ${auctions} where ${isListed} order by ${order} limit ${most}`],
    },
    limit + 1,
  )
  const [found, edges, standings, running] = await database.batch([
    database
      .select({
        id: auctions.id,
        block: auctions.block,
        createdAt: auctions.createdAt,
        leftOut: auctions.leftOut,
      })
      .from(auctions)
      .where(and(eq(auctions.chainId, chainId), sql`${auctions.id} in (${rows})`))
      .orderBy(desc(auctions.id)),
    database
      .select({ id: auctions.id })
      .from(auctions)
      .where(and(eq(auctions.chainId, chainId), edge ? sql`${auctions.id} = (${edge})` : sql`false`)),
    database.execute<{ suspensions: CurrentSuspension[]; debt: string | null }>(sql`
      select ${suspensionsOf(chainId)} as suspensions,
        (select debt::text from ${solverDebts(chainId)} as debts where solver = ${sql.param(solver, solutions.solver)}) as debt`),
    database
      .select({
        wins: sql<number>`count(*)::integer`,
        score: sql<string>`coalesce(sum(${solutions.score}), 0)::text`,
      })
      .from(settlementAttempts)
      .leftJoin(solutions, attemptOfSolution)
      .where(
        and(
          eq(settlementAttempts.chainId, chainId),
          eq(settlementAttempts.solver, solver),
          isNull(settlementAttempts.outcome),
        ),
      ),
  ])
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : edges[0]
  const { suspensions = [], debt = null } = standings.rows[0] ?? {}
  const { address: _, ...suspension } = suspensions.find(({ address }) => address === solver) ?? {}
  const details = await selectDetails(
    database,
    chainId,
    solver,
    page.map(({ id }) => id),
  )
  return {
    suspension: 'until' in suspension ? suspension : null,
    /** wei */
    debt: debt ?? '0',
    /** wins that are not decided yet, and their score in wei */
    unsettled: running[0] ?? { wins: 0, score: '0' },
    auctions: page.map(({ leftOut, ...auction }) => ({
      ...auction,
      leftOut: leftOut.find((entry) => entry.solver === solver) ?? null,
      solutions: details.solutions.get(auction.id) ?? [],
      attempts: details.attempts.filter(({ auctionId }) => auctionId === auction.id),
    })),
    next: last?.id ?? null,
  }
}

export type SolverAuctions = Awaited<ReturnType<typeof selectSolverAuctions>>

/** The solutions of the solver and of winners with their orders, and the solver's attempts with their settlements. */
const selectDetails = async (database: Database, chainId: number, solver: Address, ids: readonly number[]) => {
  if (ids.length === 0) return { solutions: new Map<number, AuctionSolution[]>(), attempts: [] }
  const [ofOrders, attempts] = await database.batch([
    database
      .select({
        auctionId: solutions.auctionId,
        uid: solutions.uid,
        solver: solutions.solver,
        score: solutions.score,
        isWinner: solutions.isWinner,
        filteredOut: solutions.filteredOut,
        responseMs: solutions.responseMs,
        orderUid: solutionOrders.orderUid,
        sellToken: solutionOrders.sellToken,
        buyToken: solutionOrders.buyToken,
      })
      .from(solutions)
      .innerJoin(solutionOrders, ordersOfSolution)
      .where(
        and(
          eq(solutions.chainId, chainId),
          inArray(solutions.auctionId, [...ids]),
          or(eq(solutions.solver, solver), solutions.isWinner),
        ),
      )
      .orderBy(asc(solutions.auctionId), asc(solutions.uid)),
    database
      .select({
        auctionId: settlementAttempts.auctionId,
        solutionUid: settlementAttempts.solutionUid,
        startedAt: settlementAttempts.startedAt,
        endedAt: settlementAttempts.endedAt,
        startBlock: settlementAttempts.startBlock,
        deadlineBlock: settlementAttempts.deadlineBlock,
        outcome: settlementAttempts.outcome,
        blame: settlementAttempts.blame,
        transactionHash: settlements.transactionHash,
        blockNumber: settlements.blockNumber,
        gasUsed: settlements.gasUsed,
        effectiveGasPrice: settlements.effectiveGasPrice,
      })
      .from(settlementAttempts)
      .leftJoin(settlements, settlementOfAttempt)
      .where(
        and(
          eq(settlementAttempts.chainId, chainId),
          inArray(settlementAttempts.auctionId, [...ids]),
          eq(settlementAttempts.solver, solver),
        ),
      )
      // several settlements of a solution are a fault of its solver: the first one counts
      .orderBy(desc(settlements.blockNumber), desc(settlements.logIndex)),
  ])
  const found = new Map<number, Map<number, AuctionSolution>>()
  for (const { auctionId, orderUid, sellToken, buyToken, ...solution } of ofOrders) {
    const ofAuction = found.get(auctionId) ?? new Map<number, AuctionSolution>()
    const known = ofAuction.get(solution.uid) ?? { ...solution, orders: new Map() }
    known.orders.set(orderUid, { sellToken, buyToken })
    found.set(auctionId, ofAuction.set(solution.uid, known))
  }
  return {
    solutions: new Map([...found].map(([id, ofAuction]) => [id, [...ofAuction.values()]])),
    attempts: [
      ...new Map(attempts.map((attempt) => [`${attempt.auctionId}:${attempt.solutionUid}`, attempt])).values(),
    ],
  }
}
