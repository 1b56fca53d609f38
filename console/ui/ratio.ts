import { formatAmount } from './formatAmount.ts'
import { toPlainText } from './toPlainText.ts'

/** An exact positive number. */
export type Ratio = { numerator: bigint; denominator: bigint }

export const invert = ({ numerator, denominator }: Ratio): Ratio => ({ numerator: denominator, denominator: numerator })

/** Longest typed price. */
export const maxRatioLength = 60

/**
 * Parses a typed price: `0.25` is 25 / 100.
 * @returns undefined for a text that is not a positive number, or longer than any price
 */
export const parseRatio = (text: string): Ratio | undefined => {
  const typed = text.trim()
  if (typed.length > maxRatioLength) return undefined
  const [, whole = '', fraction = ''] = /^(\d*)(?:\.(\d*))?$/.exec(typed) ?? []
  const digits = whole + fraction
  if (digits === '' || BigInt(digits) === 0n) return undefined
  return { numerator: BigInt(digits), denominator: 10n ** BigInt(fraction.length) }
}

/** More than the significant digits of any price between tokens of 0 to 36 decimals. */
const scale = 60

/** `2,954.12`; truncated. @param digits significant ones */
export const formatRatio = (ratio: Ratio, digits = 6): string => formatAmount(toScaled(ratio), scale, digits)

/** The same in input format: `2954.12`. */
export const toPlainRatio = (ratio: Ratio, digits: number): string => toPlainText(toScaled(ratio), scale, digits)

const toScaled = ({ numerator, denominator }: Ratio): bigint => (numerator * 10n ** BigInt(scale)) / denominator

/**
 * Price of a trade in whole tokens.
 * @returns buy tokens for one sell token
 */
export const computePrice = (
  { sellAmount, buyAmount }: { sellAmount: bigint; buyAmount: bigint },
  decimals: { sell: number; buy: number },
): Ratio => ({
  numerator: buyAmount * 10n ** BigInt(decimals.sell),
  denominator: sellAmount * 10n ** BigInt(decimals.buy),
})
