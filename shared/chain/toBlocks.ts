/**
 * Number of blocks that last at least `seconds` on a network, rounded up:
 *     max(least, ⌈ seconds / blockTimeSeconds ⌉)
 * @param least minimum, 1 when omitted
 */
export const toBlocks = (seconds: number, { blockTimeSeconds }: { blockTimeSeconds: number }, least = 1): number =>
  Math.max(least, Math.ceil(seconds / blockTimeSeconds))
