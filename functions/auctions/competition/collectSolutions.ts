import type { Address, Hex } from 'viem'
import { askSolver, SolverError } from '#shared/solvers/askSolver.ts'
import { type ProposedSolution, solveResponseSchema } from '#shared/solvers/driverApi.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import type { ClockDeps } from '../clockDeps.ts'
import type { Auction } from '../cutting/cutAuction.ts'
import { checkSolution, maxJitOrders, SolutionError } from './checkSolution.ts'
import { type ScoredSolution, scoreSolution } from './scoreSolution.ts'

export type CollectDeps = Pick<ClockDeps, 'solvers' | 'now' | 'log' | 'solveTimeMs' | 'jitOrderOwners'> & {
  /** which of the solvers' accounts the settlement contract accepts */
  findAllowed: () => Promise<ReadonlySet<Address>>
  /** which of these orders are in the book */
  findListed: (uids: readonly Hex[]) => Promise<ReadonlySet<Hex>>
}

/** Solutions of one solver that count. */
const maxSolutions = 3

/**
 * Puts an auction to all solvers at once, with one deadline for all of them, and scores what they propose. A solver that
 * answers garbage, too late, never, too much, or breaks a rule costs only itself: its answer is one line of the log.
 */
export const collectSolutions = async (deps: CollectDeps, auction: Auction): Promise<ScoredSolution[]> => {
  const request = { auctionId: auction.id.toString(), json: toSolveRequest(deps, auction) }
  const [allowed, ...answers] = await Promise.all([
    deps.findAllowed(),
    ...deps.solvers.map((solver) => askSolutions(deps, solver, request)),
  ])
  const excluded = await deps.findListed(answers.flat().flatMap((solution) => findJitUids(solution, auction)))
  return deps.solvers.flatMap((solver, i) => {
    const solutions = answers[i] ?? []
    const reject = (reason: string, solutionId?: number) => {
      deps.log({
        message: 'solution rejected',
        auction: auction.id,
        solver: solver.name,
        solutionId: solutionId ?? null,
        reason,
      })
      return []
    }
    if (solutions.length > 0 && !allowed.has(solver.address)) return reject('account is no allowed solver')
    const seen = new Set<number>()
    return solutions.flatMap((solution) => {
      const { solutionId } = solution
      if (seen.has(solutionId)) return reject('solution id used twice', solutionId)
      seen.add(solutionId)
      try {
        checkSolution(solution, solver.address, { orders: auction.orders, excluded, alone: auction.alone })
        return [
          scoreSolution(toProposal(solution, solver.address), { ...auction, jitOrderOwners: deps.jitOrderOwners }),
        ]
      } catch (error) {
        if (error instanceof SolutionError || error instanceof RangeError) return reject(error.message, solutionId)
        throw error
      }
    })
  })
}

const askSolutions = async (
  { log, solveTimeMs }: CollectDeps,
  solver: Solver,
  { auctionId, json }: { auctionId: string; json: string },
): Promise<ProposedSolution[]> => {
  const headers = { 'X-Auction-Id': auctionId, 'X-Request-Id': auctionId }
  const call = { method: 'POST', path: '/solve', json, headers, timeoutMs: solveTimeMs } as const
  try {
    return (await askSolver(solver, call, solveResponseSchema)).solutions.slice(0, maxSolutions)
  } catch (error) {
    if (!(error instanceof SolverError)) throw error
    log({ message: 'no solutions', auction: auctionId, solver: solver.name, kind: error.kind, cause: error.message })
    return []
  }
}

/** The orders that the auction does not have; of a solution with too many of them none, since it is rejected anyway. */
const findJitUids = ({ orders }: ProposedSolution, auction: Auction): Hex[] => {
  const uids = (Object.keys(orders) as Hex[]).filter((uid) => !auction.orders.has(uid))
  return uids.length > maxJitOrders ? [] : uids
}

/** The body of POST `solve` as JSON text, made once for all solvers: the orders are text already. */
const toSolveRequest = (
  { now, solveTimeMs, jitOrderOwners }: Pick<CollectDeps, 'now' | 'solveTimeMs' | 'jitOrderOwners'>,
  { id, body }: Auction,
): string => {
  const frame = JSON.stringify({
    id: id.toString(),
    tokens: Object.entries(body.prices).map(([address, price]) => ({ address, price, trusted: false })),
    deadline: new Date(now() + solveTimeMs).toISOString(),
    surplusCapturingJitOrderOwners: [...jitOrderOwners],
  })
  return `${frame.slice(0, -1)},"orders":[${body.orders.map((order) => order.body).join()}]}`
}

const toProposal = ({ solutionId, orders }: ProposedSolution, solver: Address) => ({
  solver,
  solutionId,
  orders: new Map(Object.entries(orders)) as ScoredSolution['orders'],
})
