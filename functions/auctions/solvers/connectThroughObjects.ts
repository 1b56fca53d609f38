import { sendInTurn } from '#shared/connections/connectionLimit.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import { readDelayedResponse } from './delayedResponse.ts'

/** The namespace of the Durable Object `SolverConnection`. */
export type SolverConnections = { getByName: (name: string) => { fetch: (request: Request) => Promise<Response> } }

/** Names the solver of a request to its object. */
export const solverHeader = 'X-Edgebook-Solver'

/** A settlement is answered when it is mined: with this many objects a solver may have four times six of them at once. */
const settleObjects = 4

/**
 * The same solvers, each called by Durable Objects of its own: one for solutions, one for prices, and some for settlements,
 * which take longest. Deadlines still count from the call: nothing waits for a free connection.
 */
export const connectThroughObjects = (
  solvers: readonly Solver[],
  connections: SolverConnections,
  network: string,
): Solver[] => {
  let settlements = 0
  return solvers.map((solver) => ({
    ...solver,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      const path = pathname.slice(pathname.lastIndexOf('/') + 1)
      const lane = path === 'settle' ? `settle ${settlements++ % settleObjects}` : path
      const sent = new Request(request)
      sent.headers.set(solverHeader, solver.name)
      const connection = connections.getByName(`${network} ${solver.name} ${lane}`)
      const outer = await sendInTurn('other', () => connection.fetch(sent), request.signal)
      return readDelayedResponse(outer, request.signal)
    },
  }))
}
