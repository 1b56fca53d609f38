/** A block and when something was logged with it, Unix milliseconds. */
export type BlockTime = { block: number; time: number }

/**
 * The API says of many steps only the block. This says about when a block was: between two blocks whose time is known
 * by proportion, beyond them by the time between two blocks of the network.
 * @returns undefined for every block when no time is known at all
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

/** One time for each block, none before that of an earlier block. */
const sortAnchors = (known: readonly BlockTime[]): BlockTime[] => {
  const anchors: BlockTime[] = []
  for (const anchor of known.toSorted((a, b) => a.block - b.block || a.time - b.time)) {
    const last = anchors.at(-1)
    if (!last || (anchor.block > last.block && anchor.time >= last.time)) anchors.push(anchor)
  }
  return anchors
}

/** The first anchor of this block or a later one, by halves: there may be thousands. */
const findFirstFrom = (anchors: readonly BlockTime[], block: number): number => {
  let [low, high] = [0, anchors.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((anchors[middle]?.block ?? 0) < block) low = middle + 1
    else high = middle
  }
  return low
}
