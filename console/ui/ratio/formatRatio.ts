import { formatAmount } from '../formatAmount.ts'
import { toPlainText } from '../toPlainText.ts'
import type { Ratio } from './parseRatio.ts'

/** More than the significant digits of any price between tokens of 0 to 36 decimals. */
const scale = 60

/** `2,954.12`, rounded. @param digits significant ones */
export const formatRatio = (ratio: Ratio, digits = 6): string =>
  formatAmount(round(toScaled(ratio), digits), scale, digits)

/** The same in input format: `2954.12`. */
export const toPlainRatio = (ratio: Ratio, digits: number): string =>
  toPlainText(round(toScaled(ratio), digits), scale, digits)

const toScaled = ({ numerator, denominator }: Ratio): bigint => (numerator * 10n ** BigInt(scale)) / denominator

/** To the nearest value of so many significant digits; whole digits stay. A cut price of 3,130 would be 3,129.99. */
const round = (scaled: bigint, digits: number): bigint => {
  const unit = 10n ** BigInt(Math.min(Math.max(scaled.toString().length - digits, 0), scale))
  return ((scaled + unit / 2n) / unit) * unit
}
