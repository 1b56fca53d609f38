/** An exact positive number. */
export type Ratio = { numerator: bigint; denominator: bigint }

/** The reciprocal. */
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
