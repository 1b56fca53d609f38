/** A block and the time of an event in it, Unix milliseconds. */
export type BlockTime = { block: number; time: number }

/**
 * Estimates the time of a block from blocks with known times: interpolates between two of them, and extrapolates with
 * the network's block time.
 * @returns undefined for every block when no time is known
 */
export const buildBlockClock = (known: readonly BlockTime[], blockTimeMs: number) => {
  const anchors = sortAnchors(known)
  return (block: number): number | undefined => {
    const after = findFirstFrom(anchors, block)
    const [lower, upper] = [anchors[after - 1], anchors[after]]
    if (!lower) return upper && upper.time - (upper.block - block) * blockTimeMs
    if (!upper) return lower.time + (block - lower.block) * blockTimeMs
    return lower.time + ((block - lower.block) / (upper.block - lower.block)) * (upper.time - lower.time)
  }
}

/** One time per block, ascending. */
const sortAnchors = (known: readonly BlockTime[]): BlockTime[] => {
  const anchors: BlockTime[] = []
  for (const anchor of known.toSorted((a, b) => a.block - b.block || a.time - b.time)) {
    const last = anchors.at(-1)
    if (!last || (anchor.block > last.block && anchor.time >= last.time)) anchors.push(anchor)
  }
  return anchors
}

/** First known block at or after this one, by binary search: there may be thousands. */
const findFirstFrom = (anchors: readonly BlockTime[], block: number): number => {
  let [low, high] = [0, anchors.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((anchors[middle]?.block ?? 0) < block) low = middle + 1
    else high = middle
  }
  return low
}
