import { formatAmount } from '../ui/formatAmount.ts'

/** An exact positive number. */
export type Ratio = { numerator: bigint; denominator: bigint }

export const invert = ({ numerator, denominator }: Ratio): Ratio => ({ numerator: denominator, denominator: numerator })

const maxTextLength = 60

/**
 * What somebody typed as a price: `0.25` is 25 / 100.
 * @returns undefined for what is no positive number
 */
export const parseRatio = (text: string): Ratio | undefined => {
  const [, whole = '', fraction = ''] = /^(\d*)(?:\.(\d*))?$/.exec(text.trim().slice(0, maxTextLength)) ?? []
  const digits = whole + fraction
  if (digits === '' || BigInt(digits) === 0n) return undefined
  return { numerator: BigInt(digits), denominator: 10n ** BigInt(fraction.length) }
}

/** More than the significant digits of any price between tokens of 0 to 36 decimals. */
const scale = 60

/** `2,954.12`; cut, not rounded. @param digits significant ones */
export const formatRatio = ({ numerator, denominator }: Ratio, digits = 6): string =>
  formatAmount((numerator * 10n ** BigInt(scale)) / denominator, scale, digits)

/**
 * The price of a trade in whole tokens.
 * @returns buy tokens for one sell token
 */
export const computePrice = (
  { sellAmount, buyAmount }: { sellAmount: bigint; buyAmount: bigint },
  decimals: { sell: number; buy: number },
): Ratio => ({
  numerator: buyAmount * 10n ** BigInt(decimals.sell),
  denominator: sellAmount * 10n ** BigInt(decimals.buy),
})
