/** An auction that includes a cancelled order. */
export type InFlight = {
  auction: string
  /** last block in which its winner may settle the order; null before its winners are known */
  deadline: string | null
}

/**
 * The first member of `X-Order-In-Flight`: `0;auction=4711;deadline=10283145`. @returns null when the order is in no
 * auction
 */
export const readInFlight = (header: string | null): InFlight | null => {
  const [, auction, deadline = null] = /^\d+;auction=(\d+)(?:;deadline=(\d+))?/.exec(header ?? '') ?? []
  return auction === undefined ? null : { auction, deadline }
}
