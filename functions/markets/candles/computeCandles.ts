import type { Address } from 'viem'
import type { TradeCandle } from '#schema/queries/explorer/candles.ts'

/** Price of one token in US dollars; `time` in Unix seconds. */
export type Sample = { token: Address; time: number; price: number }

/** Prices in whole quote tokens per whole base token; volumes in atoms. */
export type Candle = {
  /** Unix seconds */
  time: number
  source: 'trades' | 'samples'
  open: number
  high: number
  low: number
  close: number
  baseVolume: bigint
  quoteVolume: bigint
  trades: number
}

/** A token of the pair as samples have it, and its decimals. */
export type CandleToken = { address: Address; decimals: number }

/**
 * Candles of a pair, oldest first. An interval with trades has their prices; one without has the ratios of the samples that both
 * tokens have at the same time; one without either has no candle.
 * @param interval seconds
 */
export const computeCandles = (
  traded: readonly TradeCandle[],
  samples: readonly Sample[],
  { base, quote, interval }: { base: CandleToken; quote: CandleToken; interval: number },
): Candle[] => {
  const scale = 10 ** (base.decimals - quote.decimals)
  const ofTrades = traded.flatMap((candle): Candle[] => {
    const { open, high, low, close } = candle
    if (open === null || high === null || low === null || close === null) return []
    const prices = { open: open * scale, high: high * scale, low: low * scale, close: close * scale }
    return [{ ...candle, ...prices, source: 'trades' }]
  })
  const known = new Set(ofTrades.map(({ time }) => time))
  const ofSamples = [
    ...Map.groupBy(computeRatios(samples, base.address, quote.address), ({ time }) => toStart(time, interval)),
  ]
    .filter(([time]) => !known.has(time))
    .map(([time, ratios]) =>
      toSampleCandle(
        time,
        ratios.map(({ ratio }) => ratio),
      ),
    )
  return [...ofTrades, ...ofSamples].sort((a, b) => a.time - b.time)
}

const toStart = (time: number, interval: number): number => Math.floor(time / interval) * interval

/** Price of the base token in quote tokens wherever both have a sample, in the order of time. */
const computeRatios = (samples: readonly Sample[], base: Address, quote: Address) => {
  const quotePrices = new Map(samples.filter(({ token }) => token === quote).map(({ time, price }) => [time, price]))
  return samples
    .filter(({ token }) => token === base)
    .flatMap(({ time, price }) => {
      const quotePrice = quotePrices.get(time)
      return quotePrice ? [{ time, ratio: price / quotePrice }] : []
    })
    .sort((a, b) => a.time - b.time)
}

const toSampleCandle = (time: number, ratios: readonly number[]): Candle => ({
  ...{ time, source: 'samples', trades: 0, baseVolume: 0n, quoteVolume: 0n },
  open: ratios[0] ?? 0,
  high: Math.max(...ratios),
  low: Math.min(...ratios),
  close: ratios.at(-1) ?? 0,
})
