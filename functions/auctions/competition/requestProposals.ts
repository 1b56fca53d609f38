import type { Hex } from 'viem'
import { z } from 'zod'
import {
  maxSolutions,
  type ProposedSolution,
  proposedSolutionSchema,
  solveResponseSchema,
} from '#shared/solvers/driverApi.ts'
import { describeFailure, describeMismatch, requestSolver, SolverError } from '#shared/solvers/requestSolver.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import type { Auction } from '../auction.ts'
import type { SolveBodies, SolveBody, SolveWriter } from '../solvers/solveBodies.ts'
import type { CollectSolutionsDeps } from './collectDeps.ts'

/** Time limit of a request that only has to be read. */
const probeTimeoutMs = 1_000

/** Orders that need a capability the solver's driver lacks, hidden from it. */
export const listUnsupported = ({ required }: Auction, { supports }: Solver): ReadonlySet<Hex> =>
  new Set([...required].flatMap(([uid, features]) => (features.every((name) => supports?.has(name)) ? [] : [uid])))

/** What a solver responded. */
export type SolverResponse = {
  solutions: ProposedSolution[]
  /** what is wrong with the solutions that cannot be read */
  malformed: string[]
  /** why there is no response; undefined with one */
  failure?: string
  /** why the response was late or unreadable, for the solver itself; undefined for an error of its own or without a connection */
  unread?: string
  /** from the start of the auction until the response, ms */
  responseMs: number
}

/**
 * Requests the solutions of one solver; a failure is logged, and leaves none.
 * @param startedAt Unix milliseconds; its deadline is `solveTimeMs` or its own `timeoutMs` later
 */
export const requestProposals = async (
  deps: CollectSolutionsDeps,
  solver: Solver,
  auction: Auction,
  bodies: SolveWriter,
  startedAt: number,
): Promise<SolverResponse> => {
  const { log } = deps
  const unsupported = listUnsupported(auction, solver)
  const orders = auction.body.orders.filter(({ uid }) => deps.maySee(solver.address, uid) && !unsupported.has(uid))
  const auctionId = auction.id.toString()
  const until = startedAt + Math.min(deps.solveTimeMs, solver.timeoutMs ?? deps.solveTimeMs)
  try {
    const response = await deps.readability.request({
      ...{ solver: solver.name, auctionId: auction.id, orders, until },
      send: async (uids) => {
        const found = bodies.find((uid) => uids.has(uid), until)
        return found && requestSolutions(deps, solver, { auctionId, until }, found)
      },
      probe: (probed) => {
        const { json, bodyId } = bodies.writeProbe(probed, deps.now())
        const timeoutMs = Math.min(probeTimeoutMs, until - deps.now())
        const headers = { 'X-Auction-Id': bodyId }
        return requestSolver(solver, { method: 'POST', path: '/solve', json, headers, timeoutMs }, z.unknown())
      },
    })
    const responseMs = deps.now() - startedAt
    const read = (response?.solutions ?? [])
      .slice(0, maxSolutions)
      .map((solution) => proposedSolutionSchema.safeParse(solution))
    return {
      solutions: read.flatMap(({ data }) => data ?? []),
      malformed: read.flatMap(({ error }) => (error ? [describeMismatch(error)] : [])),
      responseMs,
    }
  } catch (error) {
    if (!(error instanceof SolverError)) throw error
    const { kind, message: cause } = error
    log({ message: 'no solutions', auction: auctionId, solver: solver.name, kind, cause })
    const unread = kind === 'Timeout' || kind === 'Garbage' ? { unread: `${kind}: ${cause}` } : {}
    const responseMs = deps.now() - startedAt
    return { solutions: [], malformed: [], failure: describeFailure(error), ...unread, responseMs }
  }
}

/**
 * A driver that takes deltas receives one to the auction that it responded to last, or all orders when it lost that
 * one.
 * @param until Unix milliseconds
 */
const requestSolutions = async (
  { bases, now }: CollectSolutionsDeps,
  solver: Solver,
  { auctionId, until }: { auctionId: string; until: number },
  { held, writeFull, writeDelta }: SolveBodies,
): Promise<z.output<typeof solveResponseSchema>> => {
  const requestSolutions = ({ json, bodyId }: SolveBody) => {
    const headers = { 'X-Request-Id': auctionId, 'X-Auction-Id': bodyId }
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
