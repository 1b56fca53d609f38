import type { TradeCandle } from '#schema/queries/explorer/candles.ts'
import type { PricePoint } from '#shared/slippage/computeVolatility.ts'

/** First, highest, lowest and last price of an interval: whole quote tokens per whole base token. */
type Prices = { open: number; high: number; low: number; close: number }

/** Volumes are atoms. */
export type Candle = { [name in keyof Prices]: number | null } & {
  /** Unix seconds */
  time: number
  source: 'trades' | 'samples'
  /** execution prices; null without a trade */
  fills: Prices | null
  baseVolume: bigint
  quoteVolume: bigint
  trades: number
}

const noTrades = { fills: null, baseVolume: 0n, quoteVolume: 0n, trades: 0 } as const
const noPrices = { open: null, high: null, low: null, close: null } as const

/**
 * Candles of a pair, oldest first. Prices are those of the samples alone, so that they are comparable between intervals;
 * execution prices, which contain fees and the depth of their trade, stand beside them. An interval without either has no
 * candle.
 * @param ratios sampled prices of the base token in quote tokens, oldest first
 * @param scale atoms of the base token per atom of the quote token for equal numbers of whole tokens
 * @param interval seconds
 */
export const computeCandles = (
  traded: readonly TradeCandle[],
  ratios: readonly PricePoint[],
  { scale, interval }: { scale: number; interval: number },
): Candle[] => {
  const sampled = Map.groupBy(ratios, ({ time }) => Math.floor(time / interval) * interval)
  const ofTrades = new Map(traded.map((candle) => [candle.time, toTraded(candle, scale)]))
  const times = [...new Set([...sampled.keys(), ...ofTrades.keys()])].toSorted((a, b) => a - b)
  return times.map((time) => {
    const prices = toPrices(sampled.get(time) ?? [])
    const source = prices ? ('samples' as const) : ('trades' as const)
    return { time, source, ...(prices ?? noPrices), ...(ofTrades.get(time) ?? noTrades) }
  })
}

const toTraded = ({ baseVolume, quoteVolume, trades, ...prices }: TradeCandle, scale: number) => {
  const { open, high, low, close } = prices
  const isPriced = open !== null && high !== null && low !== null && close !== null
  const fills = isPriced ? { open: open * scale, high: high * scale, low: low * scale, close: close * scale } : null
  return { fills, baseVolume, quoteVolume, trades }
}

const toPrices = (points: readonly PricePoint[]): Prices | undefined => {
  const prices = points.map(({ price }) => price)
  const [open, close] = [prices[0], prices.at(-1)]
  if (open === undefined || close === undefined) return undefined
  return { open, high: Math.max(...prices), low: Math.min(...prices), close }
}
