import type { JsonObject } from '#shared/jsonObject.ts'
import { maxResponseBytes } from '#shared/solvers/requestSolver.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import { type Circuit, closedCircuit, recordOutcome } from './circuitBreaker.ts'
import { solverHeader } from './connectThroughObjects.ts'
import { encodeHead } from './delayedResponse.ts'

/** A request that its caller gave up without saying so ends after this time. The longest, a settlement, has a minute. */
const maxMs = 65_000

type Deps = {
  solvers: readonly Solver[]
  /** Unix milliseconds */
  now: () => number
  log: (entry: JsonObject) => void
  /** keeps the object alive until the response is complete; the work never rejects */
  background: (work: Promise<unknown>) => void
}

type Call = { url: string; method: string; headers: Headers; body: ArrayBuffer | null }

/**
 * Forwards requests to drivers: responds at once, and the driver's response follows in the body (`delayedResponse`). A
 * driver without a complete response to five requests for solutions in a row is left alone for a while (`recordOutcome`),
 * also one whose bodies never end: every auction would wait for it. Other requests are not counted: solutions are requested with
 * every auction, and each has its response within seconds.
 */
export const createForwarder = ({ solvers, now, log, background }: Deps) => {
  let circuit: Circuit = closedCircuit
  /** Keeps requests alive: a signal holds its followers weakly, so a collected request would never see its end. */
  const open = new Set<Request>()

  const count = (solver: Solver, hasResponded: boolean): void => {
    const before = circuit
    circuit = recordOutcome(before, hasResponded, now())
    const { failures, pausedUntil } = circuit
    if (before.pausedUntil === 0 && pausedUntil > 0)
      log({ message: 'solver paused', solver: solver.name, failures, until: new Date(pausedUntil).toISOString() })
    if (before.pausedUntil > 0 && hasResponded) log({ message: 'solver resumed', solver: solver.name })
  }

  /** Writes the driver's response; the body fails as the request to the driver does. */
  const forward = async (solver: Solver, call: Call, writable: WritableStream<Uint8Array>): Promise<void> => {
    const gone = new AbortController()
    const writer = writable.getWriter()
    writer.closed.catch(() => gone.abort())
    const request = toRequest(call, AbortSignal.any([gone.signal, AbortSignal.timeout(maxMs)]))
    const isSolve = call.url.endsWith('/solve')
    const isPaused = isSolve && now() < circuit.pausedUntil
    const isCounted = isSolve && !isPaused
    open.add(request)
    let bytes = 0
    try {
      const response = isPaused ? refuse(circuit) : await solver.fetch(request)
      await writer.write(encodeHead(response.status))
      for await (const chunk of response.body ?? []) {
        bytes += chunk.byteLength
        await writer.write(chunk)
      }
      await writer.close()
      if (isCounted) count(solver, true)
    } catch (error) {
      // no longer read because of its length, which delays no auction
      if (isCounted) count(solver, bytes > maxResponseBytes)
      await writer.abort(error).catch(() => undefined)
    } finally {
      open.delete(request)
    }
  }

  return async (request: Request): Promise<Response> => {
    const { url, method, headers } = request
    const name = headers.get(solverHeader)
    const solver = solvers.find((known) => known.name === name)
    if (!solver) throw new Error(`no solver ${name} in SOLVERS`)
    const body = request.body ? await request.arrayBuffer() : null
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    background(forward(solver, { url, method, headers, body }, writable))
    return new Response(readable)
  }
}

const toRequest = ({ url, method, headers, body }: Call, signal: AbortSignal): Request => {
  const sent = new Headers(headers)
  sent.delete(solverHeader)
  return new Request(url, { method, headers: sent, body, redirect: 'manual', signal })
}

/** As a driver's own error. */
const refuse = ({ failures, pausedUntil }: Circuit): Response => {
  const until = new Date(pausedUntil).toISOString()
  const description = `${failures} requests in a row had no response; the next is sent after ${until}`
  return Response.json({ kind: 'Paused', description }, { status: 503 })
}
