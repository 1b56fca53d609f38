/** Interval at which a request looks for the outcome of another one, milliseconds. */
const pollMs = 10
/** Requests that wait for one outcome; further ones do the work themselves. */
const maxFollowers = 256

type Outcome<T> = { value: T } | { error: unknown }
type Flight<T> = { followers: number; until: number; outcome?: Outcome<T> }

export type SharingDeps = {
  /** Unix milliseconds */
  now: () => number
  sleep: (ms: number) => Promise<void>
}

/**
 * Does work that several requests of an isolate want at the same time once, with one outcome for all, also when it fails.
 * Nothing outlives the work: a request that arrives after its end begins anew.
 * @param key names the work: equal keys have equal outcomes
 * @param leaseMs longest time of the work: the runtime may have cancelled the request that does it
 */
export type Share<T> = (key: string, leaseMs: number, work: () => Promise<T>) => Promise<T>

/** workerd lets no request wait for what another one does: a request that waits looks for the outcome on its own timer. */
export const createSharing = <T>({ now, sleep }: SharingDeps): Share<T> => {
  const flights = new Map<string, Flight<T>>()

  const follow = async (flight: Flight<T>): Promise<Outcome<T> | undefined> => {
    flight.followers += 1
    while (!flight.outcome && now() < flight.until) await sleep(pollMs)
    return flight.outcome
  }

  const lead = async (key: string, leaseMs: number, work: () => Promise<T>): Promise<T> => {
    const flight: Flight<T> = { followers: 0, until: now() + leaseMs }
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

  return async (key, leaseMs, work) => {
    const flight = flights.get(key)
    if (!flight || now() >= flight.until) return lead(key, leaseMs, work)
    if (flight.followers >= maxFollowers) return work()
    const outcome = await follow(flight)
    if (!outcome) return work()
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
}
