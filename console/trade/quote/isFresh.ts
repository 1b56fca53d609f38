/** Milliseconds. Orders may refer to a quote for a minute, which includes the time to sign. */
export const freshMs = 50_000

/**
 * Returns true while an offer can be accepted, by its time of arrival: clocks differ by more than its lifetime. @param
 * now Unix milliseconds
 */
export const isFresh = ({ receivedAt }: { receivedAt: number }, now: number): boolean => now - receivedAt < freshMs
