/** Samples of prices are of multiples of this. */
export const sampleStepSeconds = 300

/** A price at a moment. */
export type PricePoint = {
  /** Unix time, seconds */
  time: number
  /** US dollars for one whole token */
  price: number
}

/**
 * How much a price moves in five minutes: the population standard deviation of the series, scaled from the mean distance of its
 * points to five minutes by the square root of time.
 * @param points in the order of time
 * @returns in the unit of the prices; undefined for fewer than two points, which say nothing about moves, and for prices
 *   beyond what a float holds the square of, as a token with absurd decimals has them
 */
export const computeVolatility = (points: readonly PricePoint[]): number | undefined => {
  const [first] = points
  const last = points.at(-1)
  if (!first || !last || points.length < 2) return undefined
  const mean = points.reduce((sum, { price }) => sum + price, 0) / points.length
  const variance = points.reduce((sum, { price }) => sum + (price - mean) ** 2, 0) / points.length
  const distance = (last.time - first.time) / (points.length - 1)
  const volatility = Math.sqrt(variance) * Math.sqrt(sampleStepSeconds / distance)
  return Number.isFinite(volatility) ? volatility : undefined
}

/** Two series divided point by point, where both have one in the same step. */
export const divideSeries = (base: readonly PricePoint[], quote: readonly PricePoint[]): PricePoint[] => {
  const quoted = new Map(quote.map(({ time, price }) => [toStep(time), price]))
  return base.flatMap(({ time, price }) => {
    const divisor = quoted.get(toStep(time))
    return divisor ? [{ time: toStep(time), price: price / divisor }] : []
  })
}

const toStep = (time: number): number => Math.round(time / sampleStepSeconds) * sampleStepSeconds
