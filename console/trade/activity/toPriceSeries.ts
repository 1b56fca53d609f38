import type { components } from '../../api/openapi.d.ts'
import type { PricePoint } from '../../ui/chart/splitAtGaps.ts'

type Candle = Pick<components['schemas']['Candles']['candles'][number], 'time' | 'close'>

/**
 * Closing prices of candles.
 * @param candles oldest first
 * @param isInverted the price is displayed in first tokens for one second token
 */
export const toPriceSeries = (candles: readonly Candle[], isInverted: boolean): PricePoint[] =>
  candles
    .filter(({ close }) => close > 0)
    .map(({ time, close }) => ({ time: Date.parse(time), price: isInverted ? 1 / close : close }))

/** Share by which the price changed from the first to the last point. @returns undefined with less than two points */
export const computePriceChange = (points: readonly PricePoint[]): number | undefined => {
  const [first, last] = [points[0], points.at(-1)]
  return first && last && first !== last ? last.price / first.price - 1 : undefined
}
