import type { Address, Hex } from 'viem'
import type { z } from 'zod'
import type { LeftOut } from '#schema/tables/auctions/auctions.ts'
import { removeSignedFee } from '#shared/amounts/removeSignedFee.ts'
import { describeError } from '#shared/http/describeError.ts'
import {
  type NotifyRequest,
  type ProposedSolution,
  proposedSolutionSchema,
  type SolutionId,
  type SolutionOrder,
  solveResponseSchema,
} from '#shared/solvers/driverApi.ts'
import { describeMismatch, requestSolver, SolverError } from '#shared/solvers/requestSolver.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import type { ClockDeps } from '../clockDeps.ts'
import type { Auction } from '../cutting/cutAuction.ts'
import { createSolveBodies, type SolveBases, type SolveBodies } from '../solvers/solveBodies.ts'
import { checkPlausible } from './checkPlausible.ts'
import { checkSolution, maxJitOrders, SolutionError } from './checkSolution.ts'
import type { Standing } from './computeStandings.ts'
import { requestNotice } from './requestNotice.ts'
import { type Proposal, type ScoredSolution, scoreSolution } from './scoreSolution.ts'

export type CollectSolutionsDeps = Pick<
  ClockDeps,
  'network' | 'solvers' | 'now' | 'log' | 'solveTimeMs' | 'jitOrderOwners' | 'plausibleRateFactor' | 'background'
> & {
  bases: SolveBases
  /** solver accounts that the settlement contract accepts */
  findAllowed: () => Promise<ReadonlySet<Address>>
  /** finds which of these orders are stored */
  findListed: (uids: readonly Hex[]) => Promise<ReadonlySet<Hex>>
  /** a solver's participation */
  standingOf: (solver: Address) => Standing
  /** the rank of its solutions with these orders, see `ranks` */
  rankOf: (solver: Address, orders: readonly Hex[]) => number
  /** whether it receives an order of the auction and may win it */
  maySee: (solver: Address, order: Hex) => boolean
  /** human-readable reason of a suspension */
  describeStanding: (solver: Address) => string
}

/** Input of the auction's decision. */
export type Collected = { solutions: ScoredSolution[]; leftOut: LeftOut[] }

/**
 * Maximum number of counted solutions per solver, large enough that solutions of hostile orders, which promise the
 * most, do not crowd out others.
 */
const maxSolutions = 10

/**
 * Requests solutions from all solvers concurrently with one deadline, then checks and scores them. A solver that
 * responds with invalid data, late, never, with too much data, or breaks a rule does not affect the others: the failure
 * is logged, and its driver is notified of the first rejection. A suspended solver receives only orders that it may
 * win, and no request without any.
 */
export const collectSolutions = async (deps: CollectSolutionsDeps, auction: Auction): Promise<Collected> => {
  const { solvers } = deps
  const deadline = deps.now() + deps.solveTimeMs
  const findBodies = createSolveBodies({ deadline, jitOrderOwners: deps.jitOrderOwners }, auction)
  const [allowed, ...answers] = await Promise.all([
    deps.findAllowed(),
    ...solvers.map((solver) => askSolutions(deps, solver, auction, findBodies)),
  ])
  const jitUids = answers.flat().flatMap((solution) => findJitUids(solution, auction))
  const excluded = await findExcluded(deps, jitUids)
  const notices = new Map<Solver, NotifyRequest>()
  const solutions = solvers.flatMap((solver, i) => {
    const proposed = answers[i] ?? []
    const reject = (reason: string, solutionId: SolutionId | null = null) => {
      const named = typeof solutionId === 'bigint' ? String(solutionId) : solutionId
      deps.log({ message: 'solution rejected', auction: auction.id, solver: solver.name, solutionId: named, reason })
      const notice = { auctionId: String(auction.id), solutionId, kind: 'rejected', reason } as const
      if (!notices.has(solver)) notices.set(solver, notice)
      return []
    }
    if (proposed.length > 0 && !allowed.has(solver.address)) return reject('account is no allowed solver')
    const rules = { excluded, unsupported: listUnsupported(auction, solver) }
    const seen = new Set<string>()
    return proposed.flatMap((solution) => {
      const { solutionId } = solution
      if (seen.has(String(solutionId))) return reject('solution id used twice', solutionId)
      seen.add(String(solutionId))
      try {
        return [scoreChecked(deps, solution, solver.address, auction, rules)]
      } catch (error) {
        if (error instanceof SolutionError || error instanceof RangeError) return reject(error.message, solutionId)
        throw error
      }
    })
  })
  for (const [solver, notice] of notices) deps.background(requestNotice(solver, notice))
  return { solutions, leftOut: buildLeftOut(deps, notices) }
}

type Rules = { excluded: ReadonlySet<Hex> | undefined; unsupported: ReadonlySet<Hex> }

/** Orders that need a capability the solver's driver lacks, hidden from it. */
const listUnsupported = ({ required }: Auction, { supports }: Solver): ReadonlySet<Hex> =>
  new Set([...required].flatMap(([uid, features]) => (features.every((name) => supports?.has(name)) ? [] : [uid])))

const scoreChecked = (
  deps: CollectSolutionsDeps,
  solution: ProposedSolution,
  solver: Address,
  auction: Auction,
  { excluded, unsupported }: Rules,
): ScoredSolution => {
  if (!excluded && findJitUids(solution, auction).length > 0) {
    throw new SolutionError('its just-in-time orders cannot be looked up now')
  }
  checkSolution(solution, solver, { ...auction, excluded: excluded ?? new Set() })
  const uids = Object.keys(solution.orders) as Hex[]
  const needy = uids.find((uid) => unsupported.has(uid))
  if (needy) throw new SolutionError(`order ${needy} needs what the solver does not support`)
  const hidden = uids.find((uid) => auction.orders.has(uid) && !deps.maySee(solver, uid))
  if (hidden) throw new SolutionError(`order ${hidden}: the solver is suspended and may not win it`)
  const traded = removeSignedFees(solution.orders, auction)
  checkPlausible(traded, { ...auction, factor: deps.plausibleRateFactor })
  const proposal = toProposal(deps, solution, solver)
  const orders = new Map(Object.entries(traded) as [Hex, SolutionOrder][])
  const scored = scoreSolution({ ...proposal, orders }, { ...auction, jitOrderOwners: deps.jitOrderOwners })
  return { ...scored, orders: proposal.orders }
}

/** Traded amounts of the orders: a signed fee is not part of the price, so it does not affect the score. */
const removeSignedFees = (executions: ProposedSolution['orders'], { orders }: Auction): ProposedSolution['orders'] =>
  Object.fromEntries(
    (Object.entries(executions) as [Hex, SolutionOrder][]).map(([uid, execution]) => {
      const order = orders.get(uid)
      return [uid, order ? { ...execution, executedSell: removeSignedFee(order, execution) } : execution]
    }),
  )

/** @returns undefined when the database fails, which does not affect solutions without just-in-time orders */
const findExcluded = async (
  { findListed, log }: CollectSolutionsDeps,
  uids: readonly Hex[],
): Promise<ReadonlySet<Hex> | undefined> => {
  try {
    return await findListed(uids)
  } catch (error) {
    log({ message: 'just-in-time orders not looked up', orders: uids.length, cause: describeError(error) })
    return undefined
  }
}

/** One entry per solver: a suspension takes precedence over its first rejected solution. */
const buildLeftOut = (
  { solvers, standingOf, describeStanding }: CollectSolutionsDeps,
  notices: ReadonlyMap<Solver, NotifyRequest>,
): LeftOut[] =>
  solvers.flatMap((solver): LeftOut[] => {
    const { address } = solver
    const standing = standingOf(address)
    const rejected = notices.get(solver)
    if (standing === 'out') return [{ solver: address, kind: 'suspended', reason: describeStanding(address) }]
    if (standing !== 'full') return [{ solver: address, kind: 'yielded', reason: describeStanding(address) }]
    return rejected ? [{ solver: address, kind: 'rejected', reason: rejected.reason.slice(0, maxReasonLength) }] : []
  })

const maxReasonLength = 500

const askSolutions = async (
  deps: CollectSolutionsDeps,
  solver: Solver,
  auction: Auction,
  findBodies: (maySee: (uid: Hex) => boolean) => SolveBodies | undefined,
): Promise<ProposedSolution[]> => {
  const { log } = deps
  const unsupported = listUnsupported(auction, solver)
  const bodies = findBodies((uid) => deps.maySee(solver.address, uid) && !unsupported.has(uid))
  if (bodies === undefined) return []
  const auctionId = auction.id.toString()
  try {
    const { solutions } = await requestSolutions(deps, solver, auctionId, bodies)
    return solutions.slice(0, maxSolutions).flatMap((solution) => {
      const { data, error } = proposedSolutionSchema().safeParse(solution)
      if (data) return [data]
      log({ message: 'solution rejected', auction: auction.id, solver: solver.name, reason: describeMismatch(error) })
      return []
    })
  } catch (error) {
    if (!(error instanceof SolverError)) throw error
    log({ message: 'no solutions', auction: auctionId, solver: solver.name, kind: error.kind, cause: error.message })
    return []
  }
}

/** A driver that takes deltas receives one to the auction that it responded to last, or all orders when it lost that one. */
const requestSolutions = async (
  { bases, now, solveTimeMs }: CollectSolutionsDeps,
  solver: Solver,
  auctionId: string,
  { held, writeFull, writeDelta }: SolveBodies,
): Promise<z.output<ReturnType<typeof solveResponseSchema>>> => {
  const until = now() + solveTimeMs
  const headers = { 'X-Auction-Id': auctionId, 'X-Request-Id': auctionId }
  const ask = (json: string) => {
    const call = { method: 'POST', path: '/solve', json, headers, timeoutMs: until - now() } as const
    return requestSolver(solver, call, solveResponseSchema())
  }
  const base = bases.get(solver.name)
  // without a response it is unknown what the driver holds
  bases.delete(solver.name)
  const response = await (base ? ask(writeDelta(base)) : ask(writeFull())).catch((error) => {
    if (base && error instanceof SolverError && error.kind === 'UnknownBase') return ask(writeFull())
    throw error
  })
  if (solver.takesDeltas) bases.set(solver.name, held)
  return response
}

/** Orders outside the auction; empty for a solution with too many of them, which is rejected anyway. */
const findJitUids = ({ orders }: ProposedSolution, auction: Auction): Hex[] => {
  const uids = (Object.keys(orders) as Hex[]).filter((uid) => !auction.orders.has(uid))
  return uids.length > maxJitOrders ? [] : uids
}

const toProposal = (
  { rankOf }: Pick<CollectSolutionsDeps, 'rankOf'>,
  { solutionId, orders }: ProposedSolution,
  solver: Address,
): Proposal => {
  const rank = rankOf(solver, Object.keys(orders) as Hex[])
  return { solver, solutionId, rank, orders: new Map(Object.entries(orders)) as Proposal['orders'] }
}
