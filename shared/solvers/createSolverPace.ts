import { SolverError } from './askSolver.ts'
import { isRefusal } from './collectAnswers.ts'

/** Latencies that are remembered of a solver. */
const maxSamples = 32
/** Fewer latencies say too little. */
const minSamples = 3
const percentile = 0.95
/** A solver that responds is given this multiple of its own 95th percentile, */
const latencyFactor = 3
/** and never less, milliseconds. A solver that keeps failing is given only this. */
const shortestMs = 300
/** With another response there, no solver is waited for beyond this multiple of the fastest response, */
const fastestFactor = 8
/** or beyond this, milliseconds, when that is more. */
const strangerMs = 1_500
/** Failures in a row that make a solver one that keeps failing. */
const maxFailures = 3
/** How often such a solver gets its whole time in the background, milliseconds. */
const probeMs = 10_000

/** A deadline that the client of a request made short says nothing about a solver. */
const isFailure = (error: unknown, ms: number): boolean =>
  !(error instanceof SolverError && error.kind === 'Timeout' && ms < strangerMs)

/** What is remembered of one solver. */
export type SolverRecord = {
  /** milliseconds of its newest responses */
  latencies: readonly number[]
  /** failures since its last response */
  failures: number
}

/**
 * How long a request waits for a solver while others have responded: a multiple of the solver's usual latency, bounded by a
 * multiple of the fastest response.
 * @param fastestMs latency of the first response, offer or refusal
 * @param hasOffer whether an offer is there already; a refusal alone ends only the wait for a solver that keeps failing
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

/** One request to several solvers. `call` runs the call of one of them; its signal ends a call that nothing waits for. */
export type Race = {
  call: <T>(solver: string, ask: (signal: AbortSignal) => Promise<T>) => Promise<T>
}

/** Remembers how fast solvers respond, and says how long each is worth waiting for. */
export type SolverPace = {
  /** @param background keeps a late call running after the response, so that its latency is known */
  startRace: (background: (work: Promise<unknown>) => void) => Race
}

export type PaceDeps = {
  /** Unix milliseconds */
  now: () => number
  /** runs `work` after so many milliseconds; returns what cancels it */
  schedule: (work: () => void, ms: number) => () => void
}

/**
 * Only a solver that is late costs patience: without any response every solver has the whole deadline of the caller. A call
 * that is given up rejects with `Timeout` at once. It runs on in the background when the solver is not known to keep failing,
 * and otherwise once in ten seconds, so that a solver that recovers is found.
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
        call: (solver, ask) =>
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
            const work = ask(abort.signal).then(
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
