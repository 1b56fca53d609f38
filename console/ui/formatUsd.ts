import { dollars, numberFormat } from './numbers.ts'

const significant = numberFormat({ style: 'currency', currency: 'USD', maximumSignificantDigits: 2 })

/**
 * Approximate value of an amount: `$2,954.12`, `$0.0012`. A price is a floating-point number, so this is for display
 * only.
 * @param price US dollars for one whole token
 */
export const formatUsd = (atoms: bigint, decimals: number, price: number): string => {
  const value = (Number(atoms) / 10 ** decimals) * price
  return (value !== 0 && Math.abs(value) < 0.01 ? significant : dollars).format(value)
}

/** Price of a whole token in dollars; a dash without one. */
export const formatUsdPrice = (price: number | undefined): string =>
  price === undefined ? '–' : formatUsd(1n, 0, price)
