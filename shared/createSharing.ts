/** Interval at which a request looks for the outcome of another one, milliseconds. */
const pollMs = 10
/** Work without an outcome counts as lost this long after its deadline, milliseconds: the runtime cancelled its request. */
const slackMs = 1_000

type Outcome<T> = { value: T } | { error: unknown }
/** `since` and `until`: beginning and deadline of the work, Unix milliseconds */
type Flight<T> = { since: number; until: number; outcome?: Outcome<T> }

export type SharingDeps = {
  /** Unix milliseconds */
  now: () => number
  sleep: (ms: number) => Promise<void>
}

/**
 * Does work that several requests of an isolate want at the same time once, with one result for all. Nothing outlives the
 * work: a request that arrives after its end begins anew. A request joins work with at least half of its own time left; when
 * work fails that began before the request did, the request has a second try with its own time.
 * @param key names the work: equal keys have equal outcomes
 * @param timeMs until the request's deadline: within it `work` settles
 */
export type Share<T> = (key: string, timeMs: number, work: () => Promise<T>) => Promise<T>

/** workerd lets no request wait for what another one does: a request that waits looks for the outcome on its own timer. */
export const createSharing = <T>({ now, sleep }: SharingDeps): Share<T> => {
  const flights = new Map<string, Flight<T>>()

  const follow = async (flight: Flight<T>): Promise<Outcome<T> | undefined> => {
    while (!flight.outcome && now() < flight.until + slackMs) await sleep(pollMs)
    return flight.outcome
  }

  const lead = async (key: string, until: number, work: () => Promise<T>): Promise<T> => {
    const flight: Flight<T> = { since: now(), until }
    flights.set(key, flight)
    try {
      const value = await work()
      flight.outcome = { value }
      return value
    } catch (error) {
      flight.outcome = { error }
      throw error
    } finally {
      if (flights.get(key) === flight) flights.delete(key)
    }
  }

  return async (key, timeMs, work) => {
    const arrival = now()
    const until = arrival + timeMs
    for (;;) {
      const flight = flights.get(key)
      const leastMs = Math.max(1, (until - now()) / 2)
      if (!flight || flight.until - now() < leastMs) return lead(key, until, work)
      const outcome = await follow(flight)
      if (outcome && 'value' in outcome) return outcome.value
      if (outcome && flight.since >= arrival) throw outcome.error
    }
  }
}
