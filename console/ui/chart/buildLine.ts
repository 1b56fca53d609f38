import { type PricePoint, splitAtGaps } from './splitAtGaps.ts'

/** Free share above and below the line. */
const margin = 0.12
/** Least height of the box, as a share of the price. */
const leastSpan = 0.01

type Options = {
  /** a price that stays within the box */
  level?: number | undefined
  /** points further apart than this, in milliseconds, are not joined */
  gapMs?: number | undefined
}

/**
 * Paths of a price line in a box of 100 by 100.
 * @param points oldest first
 */
export const buildLine = (points: readonly PricePoint[], { level, gapMs = Number.POSITIVE_INFINITY }: Options = {}) => {
  const prices = points.map(({ price }) => price)
  const all = level === undefined ? prices : [...prices, level]
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const [from, to] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0]
  // a constant price is a line in the middle, and a tiny change looks tiny
  const span = Math.max(high - low, Math.abs(high) * leastSpan) || 1
  const bottom = (high + low) / 2 - (span / 2) * (1 + 2 * margin)
  const height = span * (1 + 2 * margin)
  const toY = (price: number) => round(100 - ((price - bottom) / height) * 100)
  const toPlace = ({ time, price }: PricePoint) => ({
    x: to > from ? round(((time - from) / (to - from)) * 100) : 50,
    y: toY(price),
  })
  const runs = splitAtGaps(points, gapMs).map((run) => run.map(toPlace))
  return {
    line: runs.map(toPath).join(''),
    area: runs.map((run) => (run.length === 1 ? '' : `${toPath(run)}L${run.at(-1)?.x} 100L${run[0]?.x} 100Z`)).join(''),
    toPlace,
    levelAt: level === undefined ? undefined : toY(level),
    low: Math.min(...prices),
    high: Math.max(...prices),
  }
}

type Place = { x: number; y: number }

/** A single point is a line without length, which a round cap makes a dot. */
const toPath = (run: readonly Place[]): string =>
  run.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('') + (run.length === 1 ? 'h0' : '')

const round = (value: number): number => Math.round(value * 100) / 100
