export type PricePoint = {
  /** Unix milliseconds */
  time: number
  price: number
}

/** Runs of points of which each is at most `gapMs` after the one before. */
export const splitAtGaps = (points: readonly PricePoint[], gapMs: number): PricePoint[][] =>
  points.reduce<PricePoint[][]>((runs, point) => {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && point.time - last.time <= gapMs) run.push(point)
    else runs.push([point])
    return runs
  }, [])
