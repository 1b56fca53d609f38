let count = 0

/**
 * Identifiers of viem's clients and transports, in place of viem's own, whose buffer of random characters lasts from one run
 * to the next: a later run would take other random numbers. They name entries of caches that last as long as the process, so
 * that none returns in a later run.
 */
export const uid = (length = 11): string => {
  count += 1
  return count.toString(36).padStart(length, '0')
}
