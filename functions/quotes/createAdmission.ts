import type { Context } from 'hono'
import { createGate } from '#shared/createGate.ts'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import { ApiError } from '#shared/http/errors.ts'
import { keepRunning } from '#shared/http/keepRunning.ts'
import { createSolverPace, type Race } from '#shared/solvers/createSolverPace.ts'

/** Concurrent quotes and prices per isolate: each takes several calls to every solver. */
const running = 12
const waiting = 128
/** Longest time of a quote in the waiting queue, milliseconds: half of the second in which a user gets a quote or a refusal. */
const quoteWaitMs = 500
/** Likewise of a price, which lists request for many tokens at once. */
export const priceWaitMs = 2_500
/** A slot is released this long after its request's deadline, milliseconds. */
const leaseSlackMs = 1_000

/**
 * Runs the costly part of a request once a slot is free. It runs to completion even when the client disconnects.
 * @param waitMs longest time in the waiting queue, that of a quote when omitted; never more than half of `timeoutMs`
 */
export type Admit = <T>(
  c: Context,
  timeoutMs: number,
  work: (startRace: () => Race) => Promise<T>,
  waitMs?: number,
) => Promise<T>

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
  const gate = createGate({
    running,
    waiting,
    waitMs: priceWaitMs,
    leaseMs: maxTimeoutMs + leaseSlackMs,
    now: Date.now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    refuse: () =>
      new ApiError('ServiceUnavailable', {
        description: 'too many concurrent quote requests; retry later',
        data: { dependency: 'quotes', retryable: true },
      }),
  })
  return (c, timeoutMs, work, waitMs = quoteWaitMs) => {
    const client = computeClientKey(c.req.header('CF-Connecting-IP'))
    const startRace = () => pace.startRace((late) => keepRunning(c, late))
    const admitted = gate.pass(client, () => work(startRace), Math.min(waitMs, timeoutMs / 2))
    keepRunning(c, admitted)
    return admitted
  }
}
