/** State of a driver's circuit. */
export type Circuit = {
  /** requests without a response since the last one with a response */
  failures: number
  /** Unix milliseconds: no request is sent before */
  pausedUntil: number
}

export const closedCircuit: Circuit = { failures: 0, pausedUntil: 0 }

/** Requests without a response after which the next ones wait. */
const maxFailures = 5
const firstPauseMs = 5_000
/** Short: a driver that is back takes part again within a minute. */
const maxPauseMs = 60_000

/**
 * The circuit after a request. After five requests in a row without a response nothing is sent for five seconds, then one
 * request is tried; each further failure doubles the pause, up to a minute. A response, of any status, closes the circuit.
 * @param now Unix milliseconds
 */
export const recordOutcome = ({ failures }: Circuit, hasResponded: boolean, now: number): Circuit => {
  if (hasResponded) return closedCircuit
  const excess = failures + 1 - maxFailures
  return {
    failures: failures + 1,
    pausedUntil: excess < 0 ? 0 : now + Math.min(firstPauseMs * 2 ** excess, maxPauseMs),
  }
}
