import { isRefusal } from './collectResponses.ts'
import { SolverError } from './requestSolver.ts'

/** Number of latencies retained per solver. */
const maxSamples = 32
/** Minimum number of latencies for a percentile. */
const minSamples = 3
const percentile = 0.95
/** A responsive solver is awaited for this multiple of its own 95th percentile. */
const latencyFactor = 3
/** Minimum wait, milliseconds. For a failing solver it is also the maximum. */
const shortestMs = 300
/** Once another solver has responded, the wait ends at this multiple of the fastest response. */
const fastestFactor = 8
/** Lower bound of the limit relative to the fastest response, milliseconds. */
const strangerMs = 1_500
/** Consecutive failures after which a solver counts as failing. */
const maxFailures = 3
/** Interval at which a failing solver gets its whole time in the background, milliseconds. */
const probeMs = 10_000

/** Deadlines shorter than this, set by a client, do not count as failures of a solver. */
const isFailure = (error: unknown, ms: number): boolean =>
  !(error instanceof SolverError && error.kind === 'Timeout' && ms < strangerMs)

/** Statistics of one solver. */
export type SolverRecord = {
  /** latencies of its newest responses, milliseconds */
  latencies: readonly number[]
  /** failures since its last response */
  failures: number
}

/**
 * Wait for a solver once others have responded: a multiple of the solver's usual latency, bounded by a multiple of the
 * fastest response.
 * @param fastestMs latency of the first response, offer or refusal
 * @param hasOffer whether any response was an offer; without one only the wait for failing solvers ends
 * @returns milliseconds from the start; undefined: up to the deadline
 */
export const computePatience = (
  { latencies, failures }: SolverRecord,
  fastestMs: number,
  hasOffer: boolean,
): number | undefined => {
  if (failures >= maxFailures) return Math.max(shortestMs, fastestMs)
  if (!hasOffer) return undefined
  const longestMs = Math.max(strangerMs, fastestFactor * fastestMs)
  if (latencies.length < minSamples) return longestMs
  const sorted = latencies.toSorted((a, b) => a - b)
  const usualMs = sorted[Math.ceil(percentile * sorted.length) - 1] ?? longestMs
  return Math.min(Math.max(latencyFactor * usualMs, shortestMs), longestMs)
}

/**
 * One request to several solvers. `call` runs the call to one of them; its signal aborts a call whose result is no
 * longer awaited.
 */
export type Race = {
  call: <T>(solver: string, request: (signal: AbortSignal) => Promise<T>) => Promise<T>
}

/** Tracks the latencies of solvers and limits the wait for each of them. */
export type SolverPace = {
  /** @param background continues a late call after the response, to measure its latency */
  startRace: (background: (work: Promise<unknown>) => void) => Race
}

export type PaceDeps = {
  /** Unix milliseconds */
  now: () => number
  /** runs `work` after a delay in milliseconds; returns a function that cancels it */
  schedule: (work: () => void, ms: number) => () => void
}

/**
 * Limits the wait for slow solvers. While no solver has responded, every solver has the caller's whole deadline. An
 * abandoned call rejects with `Timeout` immediately. It continues in the background; that of a failing
 * solver does so once in ten seconds, to detect a recovery.
 */
export const createSolverPace = ({ now, schedule }: PaceDeps): SolverPace => {
  const records = new Map<string, { latencies: number[]; failures: number; probedAt: number }>()
  const findRecord = (solver: string) => {
    const record = records.get(solver) ?? { latencies: [], failures: 0, probedAt: 0 }
    records.set(solver, record)
    return record
  }
  const recordResponse = (solver: string, ms: number): void => {
    const record = findRecord(solver)
    record.failures = 0
    record.latencies.push(ms)
    if (record.latencies.length > maxSamples) record.latencies.shift()
  }
  return {
    startRace: (background) => {
      const startedAt = now()
      const pending = new Set<() => void>()
      let fastestMs: number | undefined
      let hasOffer = false
      const hurry = () => {
        for (const review of [...pending]) review()
      }
      return {
        call: (solver, request) =>
          new Promise((resolve, reject) => {
            const abort = new AbortController()
            let isGivenUp = false
            let cancel = () => {}
            const giveUp = () => {
              leave()
              isGivenUp = true
              const record = findRecord(solver)
              const isProbed = record.failures < maxFailures || now() - record.probedAt >= probeMs
              record.failures += 1
              if (isProbed) {
                record.probedAt = now()
                background(work)
              } else abort.abort()
              reject(new SolverError('Timeout', `no response within ${now() - startedAt} ms, others responded`))
            }
            const review = () => {
              if (fastestMs === undefined) return
              const patienceMs = computePatience(findRecord(solver), fastestMs, hasOffer)
              cancel()
              if (patienceMs !== undefined) cancel = schedule(giveUp, Math.max(0, startedAt + patienceMs - now()))
            }
            const leave = () => {
              pending.delete(review)
              cancel()
            }
            const respond = (isOffer: boolean) => {
              recordResponse(solver, now() - startedAt)
              if (isGivenUp) return
              leave()
              fastestMs ??= now() - startedAt
              hasOffer ||= isOffer
              hurry()
            }
            pending.add(review)
            const work = request(abort.signal).then(
              (offer) => {
                respond(true)
                resolve(offer)
              },
              (error: unknown) => {
                if (error instanceof SolverError && isRefusal(error)) respond(false)
                else if (!isGivenUp) {
                  leave()
                  if (isFailure(error, now() - startedAt)) findRecord(solver).failures += 1
                }
                reject(error)
              },
            )
            review()
          }),
      }
    },
  }
}
