import type { Candle } from './buildCandles.ts'

/** Free share above and below the candles. */
const margin = 0.1
/** Least height, as a share of the price: a tiny change looks tiny. */
const leastSpan = 0.004
/** Levels further from the last price than this are drawn at the edge. */
const nearShare = 0.1
const maxTicks = 5

export type Scale = {
  /** percent from the top */
  toY: (price: number) => number
  toPrice: (y: number) => number
  /** round prices */
  ticks: number[]
}

/** Prices of a chart of a height of 100. @param levels prices of lines, included when they are near */
export const buildScale = (candles: readonly Candle[], levels: readonly number[]): Scale => {
  const last = candles.at(-1)?.close ?? 0
  const near = levels.filter((level) => Math.abs(level / last - 1) <= nearShare)
  const low = Math.min(...candles.map((candle) => candle.low), ...near)
  const high = Math.max(...candles.map((candle) => candle.high), ...near)
  const span = Math.max(high - low, high * leastSpan) || 1
  const height = span * (1 + 2 * margin)
  const bottom = (high + low) / 2 - height / 2
  const step = findStep(height / maxTicks)
  const first = Math.ceil(bottom / step)
  const count = Math.floor((bottom + height) / step) - first + 1
  return {
    toY: (price) => Math.min(Math.max(100 - ((price - bottom) / height) * 100, 0), 100),
    toPrice: (y) => bottom + ((100 - y) / 100) * height,
    ticks: Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12))),
  }
}

/** The next of 1, 2, 5, 10 … */
const findStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5].find((digit) => digit * power >= least) ?? 10)
}
