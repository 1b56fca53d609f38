import { computePrice } from '../../ui/ratio/computePrice.ts'
import { formatRatio } from '../../ui/ratio/formatRatio.ts'
import { invert } from '../../ui/ratio/parseRatio.ts'

/** Exchanged amounts, atoms. */
export type Exchange = { sell: bigint; buy: bigint }

export type Decimals = { sell: number; buy: number }

/**
 * A price for display: whole tokens of one side per whole token of the other, rounded to six significant digits.
 * @param isInverted sell tokens for one buy token, instead of buy tokens for one sell token
 * @returns undefined when one side is zero
 */
export const formatPrice = (exchange: Exchange, decimals: Decimals, isInverted = false): string | undefined => {
  if (exchange.sell <= 0n || exchange.buy <= 0n) return undefined
  const price = toPrice(exchange, decimals)
  return formatRatio(isInverted ? invert(price) : price)
}

/** Returns true when the inverted price is easier to read: `1 WETH for 2,500 USDC`, not `1 USDC for 0.0004 WETH`. */
export const isBetterInverted = (exchange: Exchange, decimals: Decimals): boolean => {
  const { numerator, denominator } = toPrice(exchange, decimals)
  return numerator < denominator
}

const toPrice = ({ sell, buy }: Exchange, decimals: Decimals) =>
  computePrice({ sellAmount: sell, buyAmount: buy }, decimals)
