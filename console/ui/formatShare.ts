import { formatAmount } from './formatAmount.ts'

/** Precision, percent. */
const places = 3

/**
 * Formats a share in percent, truncated towards zero: `0.492 %`, `−12.3 %`, `less than 0.001 %`.
 * @returns undefined for a share of zero
 */
export const formatShare = (part: bigint, whole: bigint): string | undefined => {
  if (whole <= 0n) return undefined
  const share = (part * 100n * 10n ** BigInt(places)) / whole
  if (share === 0n && part !== 0n) return `less than ${formatAmount(1n, places)} %`
  return `${formatAmount(share, places, 3)} %`
}
