import { computeVolatility, divideSeries, type PricePoint } from './computeVolatility.ts'

/** Price history of a token. */
export type TokenMarket = {
  /** of the last day, in the order of time */
  series: readonly PricePoint[]
  /** US dollars for one whole token now; undefined: unknown */
  price: number | undefined
}

/**
 * Basis of a slippage: the price of one token in the other, the more volatile of the two tokens in US dollars, or nothing,
 * because too little is known of one of them.
 */
export type SlippageBasis = 'pair' | 'tokens' | 'unknown'

export type SlippageBounds = { minBps: number; maxBps: number; defaultBps: number }

/** Five-minute volatility of a pair as a share of its price. */
type MarketVolatility = { share: number; basis: Exclude<SlippageBasis, 'unknown'>; points: number }

/** An hour of prices every five minutes: less history does not lower the default. */
const minPoints = 12
/** A normal price moves by more than this many deviations against an order in one of 44 times. */
const deviations = 2

/**
 * How far a price may move against an order before it is settled: the five-minute volatility of the pair, in basis points and
 * rounded up, within bounds. Without enough samples of both at the same moments, that of the more volatile token.
 * @returns the default, and that it is one, when too little is known: zero would be read as a stable pair
 */
export const computeSlippage = (
  base: TokenMarket,
  quote: TokenMarket,
  bounds: SlippageBounds,
): { slippageBps: number; basis: SlippageBasis } => {
  const known = computeMarketVolatility(base, quote)
  if (!known) return { slippageBps: bounds.defaultBps, basis: 'unknown' }
  return { slippageBps: toBoundedBps(known.share, bounds), basis: known.basis }
}

/**
 * Room for the price in the limit of a market order: two five-minute deviations, in basis points and rounded up, within bounds.
 * A history of less than an hour may raise the default and never lowers it.
 */
export const computePriceRoom = (
  base: TokenMarket,
  quote: TokenMarket,
  bounds: SlippageBounds,
): { priceBps: number; basis: SlippageBasis } => {
  const known = computeMarketVolatility(base, quote)
  if (!known) return { priceBps: bounds.defaultBps, basis: 'unknown' }
  const { share, basis, points } = known
  const needed = toBoundedBps(deviations * share, bounds)
  return { priceBps: points < minPoints ? Math.max(needed, bounds.defaultBps) : needed, basis }
}

const toBoundedBps = (share: number, { minBps, maxBps }: SlippageBounds): number =>
  Math.min(Math.max(Math.ceil(share * 10_000), minBps), maxBps)

const computeMarketVolatility = (base: TokenMarket, quote: TokenMarket): MarketVolatility | undefined => {
  const ratios = divideSeries(base.series, quote.series)
  const ofPair = base.price && quote.price ? toShare(computeVolatility(ratios), base.price / quote.price) : undefined
  if (ofPair !== undefined) return { share: ofPair, basis: 'pair', points: ratios.length }
  const ofBase = toShare(computeVolatility(base.series), base.price)
  const ofQuote = toShare(computeVolatility(quote.series), quote.price)
  if (ofBase === undefined || ofQuote === undefined) return undefined
  const points = Math.min(base.series.length, quote.series.length)
  return { share: Math.max(ofBase, ofQuote), basis: 'tokens', points }
}

/** As a share of the price. */
const toShare = (volatility: number | undefined, price: number | undefined): number | undefined =>
  volatility === undefined || !price || !Number.isFinite(price) ? undefined : volatility / price
