import type { PricePoint } from './splitAtGaps.ts'

/** Index of the point nearest to a share of the time. @param share 0 at the first point, 1 at the last */
export const findNearest = (points: readonly PricePoint[], share: number): number => {
  const [from, to] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0]
  const time = from + share * (to - from)
  return points.reduce(
    (best, point, i) => (Math.abs(point.time - time) < Math.abs((points[best]?.time ?? 0) - time) ? i : best),
    0,
  )
}
