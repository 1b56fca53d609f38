import type { Context } from 'hono'
import { createGate } from '#shared/createGate.ts'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import { ApiError } from '#shared/http/errors.ts'
import { keepRunning } from '#shared/http/keepRunning.ts'
import { createSolverPace, type Race } from '#shared/solvers/createSolverPace.ts'

/** Quotes and prices that one isolate finds at once: each takes several calls of every solver. */
const running = 12
const waiting = 128
/** Longest wait for a turn, milliseconds; never more than half of a request's time. */
const waitMs = 2_500
/** After its own deadline a request is over, and its turn with it, milliseconds. */
const leaseSlackMs = 1_000

/** Runs the costly part of a request when it is its turn, to its end, also when the client leaves. */
export type Admit = <T>(c: Context, timeoutMs: number, work: (startRace: () => Race) => Promise<T>) => Promise<T>

/**
 * Admits requests for quotes and prices to the solvers, and paces the solvers' responses.
 * @param maxTimeoutMs the longest deadline of a request
 * @returns a function that throws ApiError `ServiceUnavailable` when there are too many requests
 */
export const createAdmission = (maxTimeoutMs: number): Admit => {
  const pace = createSolverPace({
    now: Date.now,
    schedule: (work, ms) => {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
  })
  const gate = createGate({
    running,
    waiting,
    waitMs,
    leaseMs: maxTimeoutMs + leaseSlackMs,
    now: Date.now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    refuse: () =>
      new ApiError('ServiceUnavailable', {
        description: 'too many quotes are being found at this moment; retry later',
        data: { dependency: 'quotes', retryable: true },
      }),
  })
  return (c, timeoutMs, work) => {
    const client = computeClientKey(c.req.header('CF-Connecting-IP'))
    const startRace = () => pace.startRace((late) => keepRunning(c, late))
    const admitted = gate.pass(client, () => work(startRace), timeoutMs / 2)
    keepRunning(c, admitted)
    return admitted
  }
}
