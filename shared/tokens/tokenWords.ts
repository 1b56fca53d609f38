import { type Address, formatUnits } from 'viem'
import { toHumanAmount } from '../amounts/toHumanAmount.ts'
import { toPriceText } from '../amounts/toPriceText.ts'
import type { TokenFacts } from './findTokenFacts.ts'
import { toSafeSymbol } from './toSafeSymbol.ts'

/** Facts of the tokens in a sentence; undefined for a token that is not known. */
export type FindToken = (token: Address) => TokenFacts | undefined

/** More decimals than any token has in earnest: its amounts are stated in atoms. */
const maxDecimals = 36
const maxPriceLength = 40
const atomsPattern = /^\d{1,78}$/
const readable = /\p{L}|\p{Sc}/u
/** Would read as an address, or as another unit. */
const confusing = /^(0x|atoms?$)/i

type NamedToken = { symbol: string; decimals: number }

/** A token that can be named in a sentence: one with usual decimals and a symbol that is a word, not a number. */
const toNamed = (facts: TokenFacts | undefined): NamedToken | undefined => {
  const symbol = toSafeSymbol(facts?.symbol)
  if (!facts || symbol === undefined || !readable.test(symbol) || confusing.test(symbol)) return undefined
  const isUsual = Number.isInteger(facts.decimals) && facts.decimals >= 0 && facts.decimals <= maxDecimals
  return isUsual ? { symbol, decimals: facts.decimals } : undefined
}

/**
 * Amounts of a token for people, rounded down: `1,000 DAI`; with two amounts `0 of 1,000 DAI`. Without usable facts of the token `0 of
 * 1000 atoms of 0x…`, with its address.
 * @param amounts atoms as decimal text
 */
export const describeAmounts = (amounts: readonly string[], token: Address, find: FindToken): string => {
  const named = toNamed(find(token))
  if (!named || !amounts.every((amount) => atomsPattern.test(amount)))
    return `${amounts.join(' of ')} atoms of ${token}`
  const texts = amounts.map((amount) => toHumanAmount(BigInt(amount), named.decimals))
  // two amounts that differ must not read the same
  const isAmbiguous = new Set(texts).size < new Set(amounts).size
  const shown = isAmbiguous ? amounts.map((amount) => formatUnits(BigInt(amount), named.decimals)) : texts
  return `${shown.join(' of ')} ${named.symbol}`
}

/** The symbol of a token, else its address. */
export const describeToken = (token: Address, find: FindToken): string => toNamed(find(token))?.symbol ?? token

/**
 * A price for people: `3150 DAI per WETH`; without usable facts of both tokens in atoms.
 * @param price buy token atoms per sell token atom, a decimal
 */
export const describePrice = (
  price: string,
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  find: FindToken,
): string => {
  const [sell, buy] = [toNamed(find(sellToken)), toNamed(find(buyToken))]
  const whole = sell && buy ? toPriceText(Number(price) * 10 ** (sell.decimals - buy.decimals)) : ''
  const isReadable = whole !== '' && whole.length <= maxPriceLength && Number(whole) > 0
  return sell && buy && isReadable
    ? `${whole} ${buy.symbol} per ${sell.symbol}`
    : `${price.slice(0, maxPriceLength)} buy token atoms per sell token atom`
}
