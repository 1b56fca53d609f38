import { computeVolatility, divideSeries, type PricePoint } from './computeVolatility.ts'

/** What is known of a token's price. */
export type TokenMarket = {
  /** of the last day, in the order of time */
  series: readonly PricePoint[]
  /** US dollars for one whole token now; undefined: unknown */
  price: number | undefined
}

/**
 * What a slippage rests on: the price of one token in the other, the more volatile of the two tokens in US dollars, or nothing,
 * because too little is known of one of them.
 */
export type SlippageBasis = 'pair' | 'tokens' | 'unknown'

export type SlippageBounds = { minBps: number; maxBps: number; defaultBps: number }

/**
 * How far a price may move against an order before it is settled: the five-minute volatility of the pair, in basis points and
 * rounded up, within bounds. Without enough samples of both at the same moments, that of the more volatile token.
 * @returns the default, and that it is one, when too little is known: zero would be read as a stable pair
 */
export const computeSlippage = (
  base: TokenMarket,
  quote: TokenMarket,
  { minBps, maxBps, defaultBps }: SlippageBounds,
): { slippageBps: number; basis: SlippageBasis } => {
  const bound = (share: number): number => Math.min(Math.max(Math.ceil(share * 10_000), minBps), maxBps)
  const ofPair = computePairVolatility(base, quote)
  if (ofPair !== undefined) return { slippageBps: bound(ofPair), basis: 'pair' }
  const ofBase = computeTokenVolatility(base)
  const ofQuote = computeTokenVolatility(quote)
  if (ofBase === undefined || ofQuote === undefined) return { slippageBps: defaultBps, basis: 'unknown' }
  return { slippageBps: bound(Math.max(ofBase, ofQuote)), basis: 'tokens' }
}

const computePairVolatility = (base: TokenMarket, quote: TokenMarket): number | undefined => {
  if (!base.price || !quote.price) return undefined
  return toShare(computeVolatility(divideSeries(base.series, quote.series)), base.price / quote.price)
}

/** As a share of the token's price. */
const computeTokenVolatility = ({ series, price }: TokenMarket): number | undefined =>
  toShare(computeVolatility(series), price)

const toShare = (volatility: number | undefined, price: number | undefined): number | undefined =>
  volatility === undefined || !price || !Number.isFinite(price) ? undefined : volatility / price
