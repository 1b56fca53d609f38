import type { Address } from 'viem'
import { askSolver, SolverError } from '#shared/solvers/askSolver.ts'
import { type ProposedSolution, type SolveRequestBody, solveResponseSchema } from '#shared/solvers/driverApi.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import { checkSolution, SolutionError } from './checkSolution.ts'
import type { ClockDeps } from './clockDeps.ts'
import type { Auction } from './cutAuction.ts'
import { type ScoredSolution, scoreSolution } from './scoreSolution.ts'

export type CollectDeps = Pick<ClockDeps, 'solvers' | 'now' | 'log' | 'solveTimeMs'> & {
  /** which of the solvers' accounts the settlement contract accepts */
  findAllowed: () => Promise<ReadonlySet<Address>>
}

/** Solutions of one solver that count. */
const maxSolutions = 3

/**
 * Puts an auction to all solvers at once, with one deadline for all of them, and scores what they propose. A solver that
 * answers garbage, too late, never, too much, or breaks a rule costs only itself: its answer is one line of the log.
 */
export const collectSolutions = async (deps: CollectDeps, auction: Auction): Promise<ScoredSolution[]> => {
  const body = toSolveRequest(auction, deps.now() + deps.solveTimeMs)
  const [allowed, ...answers] = await Promise.all([
    deps.findAllowed(),
    ...deps.solvers.map((solver) => askSolutions(deps, solver, body)),
  ])
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
    return solutions.slice(0, maxSolutions).flatMap((solution) => {
      const { solutionId } = solution
      if (seen.has(solutionId)) return reject('solution id used twice', solutionId)
      seen.add(solutionId)
      try {
        checkSolution(solution, solver.address, auction.orders)
        return [scoreSolution(toProposal(solution, solver.address), auction.prices)]
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
  body: SolveRequestBody,
): Promise<ProposedSolution[]> => {
  const headers = { 'X-Auction-Id': body.id, 'X-Request-Id': body.id }
  const call = { method: 'POST', path: '/solve', body, headers, timeoutMs: solveTimeMs } as const
  try {
    return (await askSolver(solver, call, solveResponseSchema)).solutions
  } catch (error) {
    if (!(error instanceof SolverError)) throw error
    log({ message: 'no solutions', auction: body.id, solver: solver.name, kind: error.kind, cause: error.message })
    return []
  }
}

/** @param deadline Unix milliseconds */
const toSolveRequest = ({ id, body }: Auction, deadline: number): SolveRequestBody => ({
  id: id.toString(),
  tokens: Object.entries(body.prices).map(([address, price]) => ({ address, price, trusted: false })),
  orders: body.orders,
  deadline: new Date(deadline).toISOString(),
  surplusCapturingJitOrderOwners: [],
})

const toProposal = ({ solutionId, orders }: ProposedSolution, solver: Address) => ({
  solver,
  solutionId,
  orders: new Map(Object.entries(orders)) as ScoredSolution['orders'],
})
