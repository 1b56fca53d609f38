import type { components } from '../../api/openapi.d.ts'
import { nativeSentinel } from '../../tokens/nativeSentinel.ts'
import type { PricePoint } from '../../ui/chart/buildLine.ts'

type Candle = Pick<components['schemas']['Candles']['candles'][number], 'time' | 'close'>

/** The token of a market: the native token and its wrapped form are one. */
export const toMarketToken = (token: string, wrappedNative: string): string =>
  token === nativeSentinel ? wrappedNative : token

/**
 * The market of two tokens in an order that is the same for both directions, so that both share one request.
 * @returns null when both tokens are the same in the market
 */
export const toMarket = (
  sell: string,
  buy: string,
  wrappedNative: string,
): { first: string; second: string } | null => {
  const [first = '', second = ''] = [sell, buy].map((token) => toMarketToken(token, wrappedNative)).sort()
  return first === second ? null : { first, second }
}

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
