import type { PricePoint } from './splitAtGaps.ts'

type Candle = { time: string; open: number | null; close: number | null }

/**
 * Opening prices of candles, and the closing price of the newest one: a series of any interval begins and ends with the
 * first and the last sampled price.
 * @param candles oldest first; those without a sampled price are left out
 * @param isInverted the price is displayed in first tokens for one second token
 * @param end of the newest candle, Unix milliseconds by its start
 */
export const toPriceSeries = (
  candles: readonly Candle[],
  isInverted: boolean,
  end: (time: number) => number,
): PricePoint[] => {
  const toPoint = (time: number, price: number | null): PricePoint[] =>
    price === null || price <= 0 ? [] : [{ time, price: isInverted ? 1 / price : price }]
  const opens = candles.flatMap(({ time, open }) => toPoint(Date.parse(time), open))
  const newest = candles.findLast(({ close }) => close !== null)
  return newest ? [...opens, ...toPoint(end(Date.parse(newest.time)), newest.close)] : opens
}

/** Share by which the price changed from the first to the last point. @returns undefined with less than two points */
export const computePriceChange = (points: readonly PricePoint[]): number | undefined => {
  const [first, last] = [points[0], points.at(-1)]
  return first && last && first !== last ? last.price / first.price - 1 : undefined
}
