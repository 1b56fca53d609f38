import type { Context } from 'hono'
import { createGate, type GateLimits } from '#shared/createGate.ts'
import { clientKeyHeader } from '#shared/http/clientKeyHeader.ts'
import { ApiError } from '#shared/http/errors.ts'
import { keepRunning } from '#shared/http/keepRunning.ts'
import { createSolverPace, type Race } from '#shared/solvers/createSolverPace.ts'
import { minTimeoutMs } from './request/quoteRequest.ts'

type Lane = Pick<GateLimits, 'running' | 'waiting'>

/** Quotes and prices of clients per isolate: each takes several calls to every solver. One client waits with at most 128. */
const clientLane: Lane = { running: 12, waiting: 256 }
/** Prices that other Workers request, which take no turn of a client and lose none to clients. */
const serviceLane: Lane = { running: 4, waiting: 128 }
/** A slot is released this long after its request's deadline, milliseconds. */
const leaseSlackMs = 1_000

/**
 * Runs the costly part of a request once a slot is free. It runs to completion even when the client disconnects.
 * @param timeoutMs time of the whole request: it waits for a slot as long as that leaves time for the work
 */
export type Admit = <T>(c: Context, timeoutMs: number, work: (startRace: () => Race) => Promise<T>) => Promise<T>

/**
 * Admits requests for quotes and prices to the solvers, and paces the solvers' responses.
 * @param maxTimeoutMs the longest deadline of a request
 * @returns a function that throws ApiError `ServiceUnavailable` when the waiting queue is full or the wait is too long
 */
export const createAdmission = (maxTimeoutMs: number): Admit => {
  const pace = createSolverPace({
    now: Date.now,
    schedule: (work, ms) => {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
  })
  const openLane = (lane: Lane) =>
    createGate({
      ...lane,
      waitMs: maxTimeoutMs,
      leaseMs: maxTimeoutMs + leaseSlackMs,
      now: Date.now,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      refuse: () =>
        new ApiError('ServiceUnavailable', {
          description: 'too many concurrent quote requests; retry later',
          data: { dependency: 'quotes', retryable: true },
        }),
    })
  const [ofClients, ofService] = [openLane(clientLane), openLane(serviceLane)]
  return (c, timeoutMs, work) => {
    const startRace = () => pace.startRace((late) => keepRunning(c, late))
    const waitMs = Math.max(timeoutMs - minTimeoutMs, timeoutMs / 2)
    // only the gateway sets the header; other Workers take turns by what they request
    const client = c.req.header(clientKeyHeader)
    const lane = client === undefined ? ofService : ofClients
    const admitted = lane.pass(client ?? c.req.path, () => work(startRace), waitMs)
    keepRunning(c, admitted)
    return admitted
  }
}
