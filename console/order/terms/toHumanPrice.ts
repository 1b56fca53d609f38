import { formatAmount } from '../../ui/formatAmount.ts'
import type { Decimals } from './formatPrice.ts'

/**
 * Converts a decimal price in buy token atoms per sell token atom into whole tokens: `2500` for `0.0000000025` when the
 * sell token has 18 decimals and the buy token 6.
 */
export const toHumanPrice = (price: string, { sell, buy }: Decimals): string => {
  const [whole = '0', fraction = ''] = price.split('.')
  const places = fraction.length + buy - sell
  const digits = BigInt(whole + fraction)
  return places >= 0 ? formatAmount(digits, places) : formatAmount(digits * 10n ** BigInt(-places), 0)
}
