export type PricePoint = {
  /** Unix milliseconds */
  time: number
  price: number
}

/** Free share above and below the line. */
const margin = 0.12

/**
 * Paths of a price line in a box of 100 by 100.
 * @param points oldest first
 * @param level a price that stays within the box
 */
export const buildLine = (points: readonly PricePoint[], level?: number) => {
  const prices = points.map(({ price }) => price)
  const all = level === undefined ? prices : [...prices, level]
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const [from, to] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0]
  // a constant price is a line in the middle
  const span = high - low || Math.abs(high) * 0.01 || 1
  const bottom = (high + low) / 2 - (span / 2) * (1 + 2 * margin)
  const height = span * (1 + 2 * margin)
  const toY = (price: number) => round(100 - ((price - bottom) / height) * 100)
  const toPlace = ({ time, price }: PricePoint) => ({
    x: to > from ? round(((time - from) / (to - from)) * 100) : 50,
    y: toY(price),
  })
  const places = points.map(toPlace)
  const line = places.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  return {
    line,
    area: `${line}L100 100L0 100Z`,
    toPlace,
    levelAt: level === undefined ? undefined : toY(level),
    low: Math.min(...prices),
    high: Math.max(...prices),
  }
}

const round = (value: number): number => Math.round(value * 100) / 100

/** Index of the point nearest to a share of the time. @param share 0 at the first point, 1 at the last */
export const findNearest = (points: readonly PricePoint[], share: number): number => {
  const [from, to] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0]
  const time = from + share * (to - from)
  return points.reduce(
    (best, point, i) => (Math.abs(point.time - time) < Math.abs((points[best]?.time ?? 0) - time) ? i : best),
    0,
  )
}
