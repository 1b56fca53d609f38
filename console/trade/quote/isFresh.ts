/** Orders may refer to a quote for a minute, and somebody has to sign in it. Milliseconds. */
const freshMs = 50_000

/** Whether an offer may still be taken, by when it came: clocks differ, and by more than it lives. @param now Unix milliseconds */
export const isFresh = ({ receivedAt }: { receivedAt: number }, now: number): boolean => now - receivedAt < freshMs
