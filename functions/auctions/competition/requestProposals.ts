import type { Hex } from 'viem'
import { z } from 'zod'
import { type ProposedSolution, proposedSolutionSchema, solveResponseSchema } from '#shared/solvers/driverApi.ts'
import { describeMismatch, requestSolver, SolverError } from '#shared/solvers/requestSolver.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import type { Auction } from '../auction.ts'
import type { SolveBodies } from '../solvers/solveBodies.ts'
import type { CollectSolutionsDeps } from './collectDeps.ts'
import { buildProbe } from './createReadability.ts'

/**
 * Maximum number of counted solutions per solver, large enough that solutions of hostile orders, which promise the
 * most, do not crowd out others.
 */
const maxSolutions = 10

/** Time limit of a request that only has to be read. */
const probeTimeoutMs = 1_000

/** Orders that need a capability the solver's driver lacks, hidden from it. */
export const listUnsupported = ({ required }: Auction, { supports }: Solver): ReadonlySet<Hex> =>
  new Set([...required].flatMap(([uid, features]) => (features.every((name) => supports?.has(name)) ? [] : [uid])))

/** Requests the solutions of one solver; a failure is logged, and leaves none. */
export const requestProposals = async (
  deps: CollectSolutionsDeps,
  solver: Solver,
  auction: Auction,
  findBodies: (maySee: (uid: Hex) => boolean) => SolveBodies | undefined,
): Promise<ProposedSolution[]> => {
  const { log } = deps
  const unsupported = listUnsupported(auction, solver)
  const orders = auction.body.orders.filter(({ uid }) => deps.maySee(solver.address, uid) && !unsupported.has(uid))
  const auctionId = auction.id.toString()
  const until = deps.now() + deps.solveTimeMs
  try {
    const response = await deps.readability.request({
      ...{ solver: solver.name, auctionId: auction.id, orders, until },
      send: async (uids, isRepeated) => {
        const bodies = findBodies((uid) => uids.has(uid))
        return bodies && requestSolutions(deps, solver, { auctionId, isRepeated, until }, bodies)
      },
      probe: (probed) => {
        const json = buildProbe(findBodies(() => true)?.writeFull() ?? '', probed, deps.now())
        const timeoutMs = Math.min(probeTimeoutMs, until - deps.now())
        return requestSolver(solver, { method: 'POST', path: '/solve', json, timeoutMs }, z.unknown())
      },
    })
    const { solutions } = response ?? { solutions: [] }
    return solutions.slice(0, maxSolutions).flatMap((solution) => {
      const { data, error } = proposedSolutionSchema.safeParse(solution)
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

/**
 * A driver that takes deltas receives one to the auction that it responded to last, or all orders when it lost that one.
 * @param until Unix milliseconds
 */
const requestSolutions = async (
  { bases, now }: CollectSolutionsDeps,
  solver: Solver,
  { auctionId, isRepeated, until }: { auctionId: string; isRepeated: boolean; until: number },
  { held, writeFull, writeDelta }: SolveBodies,
): Promise<z.output<typeof solveResponseSchema>> => {
  // drivers share the body of a header's first request
  const headers = { 'X-Request-Id': auctionId, ...(isRepeated ? {} : { 'X-Auction-Id': auctionId }) }
  const requestSolutions = (json: string) => {
    const call = { method: 'POST', path: '/solve', json, headers, timeoutMs: until - now() } as const
    return requestSolver(solver, call, solveResponseSchema)
  }
  const base = bases.get(solver.name)
  // without a response it is unknown what the driver holds
  bases.delete(solver.name)
  const response = await (base ? requestSolutions(writeDelta(base)) : requestSolutions(writeFull())).catch((error) => {
    if (base && error instanceof SolverError && error.kind === 'UnknownBase') return requestSolutions(writeFull())
    throw error
  })
  if (solver.takesDeltas) bases.set(solver.name, held)
  return response
}
