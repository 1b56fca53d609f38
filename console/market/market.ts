import type { Token } from '../tokens/token.ts'
import { numberFormat } from '../ui/numbers.ts'
import { toMarketToken } from './toMarket.ts'

/** A pair in the direction in which it is shown: a price is `quote` tokens for one `base`. */
export type Market = { base: Token; quote: Token }

/** The path parameter of the market's routes. */
export const toPairPath = ({ base, quote }: Market, wrappedNative: string): string =>
  `${toMarketToken(base.address, wrappedNative)}-${toMarketToken(quote.address, wrappedNative)}`

/** Whole tokens of an amount, for display and charts only. */
export const toWhole = (atoms: string | bigint, { decimals = 0 }: Token): number => Number(atoms) / 10 ** decimals

const significant = numberFormat({ maximumSignificantDigits: 6 })
/** A price of a market: `2,990.41`. */
export const formatMarketPrice = (price: number): string => significant.format(price)

const compact = numberFormat({ maximumSignificantDigits: 4 })
/** An amount of a book or a list: `7.75`. */
export const formatSize = (size: number): string => compact.format(size)

const compactUsd = numberFormat({ style: 'currency', currency: 'USD', notation: 'compact' })
/** `$4.1M` */
export const formatVolume = (usd: number): string => compactUsd.format(usd)
