import { formatAmount } from '../formatAmount.ts'
import { toPlainText } from '../toPlainText.ts'
import type { Ratio } from './parseRatio.ts'

/** More than the significant digits of any price between tokens of 0 to 36 decimals. */
const scale = 60

/** `2,954.12`; truncated. @param digits significant ones */
export const formatRatio = (ratio: Ratio, digits = 6): string => formatAmount(toScaled(ratio), scale, digits)

/** The same in input format: `2954.12`. */
export const toPlainRatio = (ratio: Ratio, digits: number): string => toPlainText(toScaled(ratio), scale, digits)

const toScaled = ({ numerator, denominator }: Ratio): bigint => (numerator * 10n ** BigInt(scale)) / denominator
