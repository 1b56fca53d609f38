import { localize } from './numbers.ts'

/**
 * The filled share of an order for every page: `16.6 %`, rounded to a tenth; `100 %` and `0 %` only when that is exact.
 * @param filled of `of`, atoms
 */
export const formatFilled = (filled: bigint, of: bigint): string => {
  if (of <= 0n || filled <= 0n) return '0 %'
  if (filled >= of) return '100 %'
  const permille = (filled * 2_000n + of) / (of * 2n)
  if (permille === 0n) return `less than ${localize('0.1')} %`
  if (permille === 1_000n) return `more than ${localize('99.9')} %`
  return `${localize(String(Number(permille) / 10))} %`
}
