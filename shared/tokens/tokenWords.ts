import { type Address, formatUnits } from 'viem'
import { type Rounding, toHumanAmount } from '../amounts/toHumanAmount.ts'
import type { TokenFacts } from './findTokenFacts.ts'
import { toSafeSymbol } from './toSafeSymbol.ts'

/** Facts of the tokens in a sentence; undefined for an unknown token. */
export type FindToken = (token: Address) => TokenFacts | undefined

/** Maximum plausible number of decimals; beyond it amounts are stated in atoms. */
const maxDecimals = 36
const maxPriceLength = 40
const atomsPattern = /^\d{1,78}$/
const readable = /\p{L}|\p{Sc}/u
/** Symbols that could be mistaken for an address or another unit. */
const confusing = /^(0x|atoms?$)/i

type NamedToken = { symbol: string; decimals: number }

/** Token facts usable in a sentence: plausible decimals, and a symbol that is a word, not a number. */
const toNamed = (facts: TokenFacts | undefined): NamedToken | undefined => {
  const symbol = toSafeSymbol(facts?.symbol)
  if (!facts || symbol === undefined || !readable.test(symbol) || confusing.test(symbol)) return undefined
  const isUsual = Number.isInteger(facts.decimals) && facts.decimals >= 0 && facts.decimals <= maxDecimals
  return isUsual ? { symbol, decimals: facts.decimals } : undefined
}

/**
 * Describes amounts of a token, rounded down by default: `1,000 DAI`; with two amounts `0 of 1,000 DAI`. Without usable facts: `0
 * of 1000 atoms of 0x…`, with the token's address.
 * @param amounts atoms as decimal text
 */
export const describeAmounts = (
  amounts: readonly string[],
  token: Address,
  find: FindToken,
  rounding?: Rounding,
): string => {
  const named = toNamed(find(token))
  if (!named || !amounts.every((amount) => atomsPattern.test(amount)))
    return `${amounts.join(' of ')} atoms of ${token}`
  const texts = amounts.map((amount) => toHumanAmount(BigInt(amount), named.decimals, rounding))
  // different amounts must have different texts
  const isAmbiguous = new Set(texts).size < new Set(amounts).size
  const shown = isAmbiguous ? amounts.map((amount) => formatUnits(BigInt(amount), named.decimals)) : texts
  return `${shown.join(' of ')} ${named.symbol}`
}

/** Names a token by its symbol, else by its address. */
export const describeToken = (token: Address, find: FindToken): string => toNamed(find(token))?.symbol ?? token

const priceFormat = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 })

/**
 * Describes prices of one pair, all in the direction in which the first is a number above 1: `3,150 DAI per WETH`, also for the
 * sale of DAI; in atoms without usable facts of both tokens.
 * @param prices buy token atoms per sell token atom, decimals
 */
export const describePrices = (
  prices: readonly string[],
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  find: FindToken,
): string[] => {
  const [sell, buy] = [toNamed(find(sellToken)), toNamed(find(buyToken))]
  const inAtoms = prices.map((price) => `${price.slice(0, maxPriceLength)} buy token atoms per sell token atom`)
  if (!sell || !buy) return inAtoms
  const whole = prices.map((price) => Number(price) * 10 ** (sell.decimals - buy.decimals))
  const isInverted = (whole[0] ?? 1) < 1
  const shown = whole.map((price) => (isInverted ? 1 / price : price))
  const texts = shown.map((price) => priceFormat.format(price))
  const isReadable = shown.every((price) => price > 0 && Number.isFinite(price))
  if (!isReadable || texts.some(({ length }) => length > maxPriceLength)) return inAtoms
  const unit = isInverted ? `${sell.symbol} per ${buy.symbol}` : `${buy.symbol} per ${sell.symbol}`
  return texts.map((text) => `${text} ${unit}`)
}
