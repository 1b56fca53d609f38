import type { Hex } from 'viem'
import type { LeftOut } from '#schema/tables/auctions/auctions.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { NotifyRequest, SolutionId } from '#shared/solvers/driverApi.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import type { Auction } from '../auction.ts'
import { requestNotice } from '../solvers/requestNotice.ts'
import { createSolveBodies } from '../solvers/solveBodies.ts'
import { SolutionError } from './checkSolution.ts'
import type { CollectSolutionsDeps } from './collectDeps.ts'
import { listUnsupported, requestProposals } from './requestProposals.ts'
import { findJitUids, scoreChecked } from './scoreChecked.ts'
import type { ScoredSolution } from './scoreSolution.ts'

/** Input of the auction's decision. */
export type Collected = { solutions: ScoredSolution[]; leftOut: LeftOut[] }

/**
 * Requests solutions from all solvers concurrently, then checks and scores them. A solver that
 * responds with invalid data, late, never, with too much data, or breaks a rule does not affect the others: the failure
 * is logged, and its driver is notified of the first rejection, or of a late or unreadable response. A suspended solver
 * receives only orders that it may win, and no request without any.
 */
export const collectSolutions = async (deps: CollectSolutionsDeps, auction: Auction): Promise<Collected> => {
  const { solvers } = deps
  const startedAt = deps.now()
  const bodies = createSolveBodies(deps.jitOrderOwners, auction)
  const [allowed, ...responses] = await Promise.all([
    deps.findAllowed(),
    ...solvers.map((solver) => requestProposals(deps, solver, auction, bodies, startedAt)),
  ])
  const jitUids = responses.flatMap(({ solutions }) => solutions).flatMap((solution) => findJitUids(solution, auction))
  const excluded = await findExcluded(deps, jitUids)
  const notices = new Map<Solver, NotifyRequest>()
  const rejectOf = (solver: Solver, reason: string, solutionId: SolutionId | null = null) => {
    const named = typeof solutionId === 'bigint' ? String(solutionId) : solutionId
    deps.log({ message: 'solution rejected', auction: auction.id, solver: solver.name, solutionId: named, reason })
    const notice = { auctionId: String(auction.id), solutionId, kind: 'rejected', reason } as const
    if (!notices.has(solver)) notices.set(solver, notice)
    return []
  }
  const failures = new Map(
    solvers.flatMap((solver, i) => (responses[i]?.failure ? [[solver, responses[i].failure]] : [])),
  )
  const solutions = solvers.flatMap((solver, i) => {
    const { solutions: proposed = [], malformed = [], responseMs } = responses[i] ?? {}
    const reject = (reason: string, solutionId?: SolutionId) => rejectOf(solver, reason, solutionId)
    if (proposed.length > 0 && !allowed.has(solver.address)) return reject('account is no allowed solver')
    const rules = { excluded, unsupported: listUnsupported(auction, solver) }
    const seen = new Set<string>()
    const accepted = proposed.flatMap((solution) => {
      const { solutionId } = solution
      if (seen.has(String(solutionId))) return reject('solution id used twice', solutionId)
      seen.add(String(solutionId))
      try {
        return [{ ...scoreChecked(deps, solution, solver.address, auction, rules), responseMs }]
      } catch (error) {
        if (error instanceof SolutionError || error instanceof RangeError) return reject(error.message, solutionId)
        throw error
      }
    })
    // last: a notice of a solution with an id says more
    for (const reason of malformed) reject(reason)
    return accepted
  })
  const leftOut = buildLeftOut(deps, notices, failures)
  for (const [i, solver] of solvers.entries()) {
    const reason = responses[i]?.unread
    if (reason !== undefined)
      notices.set(solver, { auctionId: String(auction.id), solutionId: null, kind: 'rejected', reason })
  }
  for (const [solver, notice] of notices) deps.background(requestNotice(solver, notice))
  return { solutions, leftOut }
}

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

/** One entry per solver: a suspension or limit takes precedence over its first rejected solution, or over no response. */
const buildLeftOut = (
  { solvers, exclusionOf }: CollectSolutionsDeps,
  notices: ReadonlyMap<Solver, NotifyRequest>,
  failures: ReadonlyMap<Solver, string>,
): LeftOut[] =>
  solvers.flatMap((solver): LeftOut[] => {
    const { address } = solver
    const exclusion = exclusionOf(address)
    if (exclusion) return [{ solver: address, ...exclusion }]
    const entry = (kind: LeftOut['kind'], reason: string | undefined): LeftOut[] =>
      reason === undefined ? [] : [{ solver: address, kind, reason: reason.slice(0, maxReasonLength) }]
    const rejected = entry('rejected', notices.get(solver)?.reason)
    return rejected.length > 0 ? rejected : entry('failed', failures.get(solver))
  })

const maxReasonLength = 500
