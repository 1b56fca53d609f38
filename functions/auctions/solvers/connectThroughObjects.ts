import { sendInTurn } from '#shared/connections/connectionLimit.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import { readDelayedResponse } from './delayedResponse.ts'

/** The namespace of the Durable Object `SolverConnection`. */
export type SolverConnections = { getByName: (name: string) => { fetch: (request: Request) => Promise<Response> } }

/** Names the solver of a request to its object. */
export const solverHeader = 'X-Edgebook-Solver'

/** Carries the auction's id in decimal digits with a settlement; drivers log it. */
export const auctionHeader = 'X-Request-Id'

/** The response to a settlement comes when it is mined: four objects allow a solver four times six of them at once. */
const settleObjects = 4

/**
 * The same solvers, each called by Durable Objects of its own: one for solutions, one for prices, and some for settlements,
 * which take longest. Deadlines still count from the call: nothing waits for a free connection.
 */
export const connectThroughObjects = (
  solvers: readonly Solver[],
  connections: SolverConnections,
  network: string,
): Solver[] =>
  solvers.map((solver) => ({
    ...solver,
    fetch: async (request) => {
      const sent = new Request(request)
      sent.headers.set(solverHeader, solver.name)
      const connection = connections.getByName(`${network} ${solver.name} ${selectLane(request)}`)
      const outer = await sendInTurn('other', () => connection.fetch(sent), request.signal)
      return readDelayedResponse(outer, request.signal)
    },
  }))

/** The last part of the path. A settlement adds a number from its auction's id, so that consecutive auctions differ. */
const selectLane = ({ url, headers }: Request): string => {
  const { pathname } = new URL(url)
  const path = pathname.slice(pathname.lastIndexOf('/') + 1)
  return path === 'settle' ? `settle ${Number(headers.get(auctionHeader)) % settleObjects}` : path
}
