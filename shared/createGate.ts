/** Interval at which a waiting request checks for its turn, milliseconds. */
const pollMs = 10
/** A waiting request that has not checked for this long counts as cancelled, milliseconds. */
const cancelledMs = 50 * pollMs

export type GateLimits = {
  /** requests that run at once */
  running: number
  /** requests that wait for a turn; one client takes at most half of the places */
  waiting: number
  /** longest wait for a turn, milliseconds */
  waitMs: number
  /** a request that has run for so long gives its turn away: the runtime may have cancelled it */
  leaseMs: number
}

export type GateDeps = GateLimits & {
  /** Unix milliseconds */
  now: () => number
  sleep: (ms: number) => Promise<void>
  /** the error of a request that gets no turn */
  refuse: () => Error
}

export type Gate = {
  /**
   * Runs `work` when it is its turn.
   * @param client shares its turns among its own requests
   * @param waitMs a shorter wait than the gate's
   * @throws what `refuse` returns; what `work` throws
   */
  pass: <T>(client: string, work: () => Promise<T>, waitMs?: number) => Promise<T>
}

type Ticket = { client: string; round: number; seenAt: number }

/**
 * Bounds how many requests of one isolate do the same expensive thing at once. Clients take turns, so that a client with many
 * requests delays the single request of another one by one turn only. workerd lets no request wait for what another one does:
 * a waiting request checks for its turn on its own timer, and turns of cancelled requests expire.
 */
export const createGate = ({ running, waiting, leaseMs, now, sleep, refuse, ...limits }: GateDeps): Gate => {
  const leases = new Map<object, number>()
  const queue: Ticket[] = []
  /** round of the ticket that went in last */
  let round = 0

  const removeExpired = () => {
    for (const [lease, until] of leases) if (until <= now()) leases.delete(lease)
    for (let i = queue.length - 1; i >= 0; i -= 1) if (now() - (queue[i]?.seenAt ?? 0) > cancelledMs) queue.splice(i, 1)
  }

  /** Behind the client's own tickets by a round each, behind others of the same round by arrival. */
  const join = (client: string): Ticket => {
    const own = queue.filter((ticket) => ticket.client === client)
    if (queue.length >= waiting || own.length >= Math.max(1, waiting / 2)) throw refuse()
    const ticket = { client, round: Math.max(round, ...own.map((other) => other.round)) + 1, seenAt: now() }
    const place = queue.findIndex((other) => other.round > ticket.round)
    queue.splice(place < 0 ? queue.length : place, 0, ticket)
    return ticket
  }

  const leave = (ticket: Ticket) => {
    const place = queue.indexOf(ticket)
    if (place >= 0) queue.splice(place, 1)
  }

  const startLease = (): object => {
    const lease = {}
    leases.set(lease, now() + leaseMs)
    return lease
  }

  /** @returns the lease, which counts from the moment of the turn */
  const waitForTurn = async (client: string, waitMs: number): Promise<object> => {
    removeExpired()
    if (queue.length === 0 && leases.size < running) return startLease()
    const ticket = join(client)
    const until = now() + waitMs
    for (;;) {
      await sleep(pollMs)
      ticket.seenAt = now()
      removeExpired()
      const place = queue.indexOf(ticket)
      if (place < 0 || now() >= until) {
        leave(ticket)
        throw refuse()
      }
      if (place < running - leases.size) {
        leave(ticket)
        round = Math.max(round, ticket.round)
        return startLease()
      }
    }
  }

  return {
    pass: async (client, work, waitMs = limits.waitMs) => {
      const lease = await waitForTurn(client, Math.min(waitMs, limits.waitMs))
      try {
        return await work()
      } finally {
        leases.delete(lease)
      }
    },
  }
}
