import { toHumanAmount } from '../amounts/toHumanAmount.ts'

/**
 * The filled share of an order as the console shows it: `16.6 %`, rounded to a tenth; `100 %` only when that is exact.
 * @param bps of an order with a trade, rounded down, which changes no tenth
 */
export const describeFilled = (bps: number): string => {
  if (bps < 5) return 'less than 0.1 %'
  if (bps >= 9_995 && bps < 10_000) return 'more than 99.9 %'
  return `${Math.round(bps / 10) / 10} %`
}

/**
 * ` (0.273 %)`: the share of a gain as the console shows it, truncated to three digits and to a thousandth.
 * Shares of zero and of 1,000 % and more are omitted.
 */
export const describeGainShare = (gain: bigint, base: bigint): string => {
  if (base <= 0n) return ''
  const thousandths = (gain * 100_000n) / base
  if (thousandths === 0n || thousandths >= 1_000_000n) return ''
  const unit = 10n ** BigInt(Math.max(thousandths.toString().length - 3, 0))
  return ` (${toHumanAmount((thousandths / unit) * unit, 3)} %)`
}
