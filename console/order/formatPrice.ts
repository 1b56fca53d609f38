import { formatAmount } from '../ui/formatAmount.ts'

/** Amounts that are exchanged for each other, atoms. */
export type Exchange = { sell: bigint; buy: bigint }

export type Decimals = { sell: number; buy: number }

/** Decimal places that prices are computed with: six significant digits of anything down to 10^-30. */
const places = 36

/**
 * A price for people: how many whole tokens of one side for one whole token of the other, cut after six significant
 * digits.
 * @param isInverted sell tokens for one buy token, instead of buy tokens for one sell token
 * @returns undefined when one side is nothing
 */
export const formatPrice = ({ sell, buy }: Exchange, decimals: Decimals, isInverted = false): string | undefined => {
  const [paid, got] = isInverted ? [buy, sell] : [sell, buy]
  const [paidDecimals, gotDecimals] = isInverted ? [decimals.buy, decimals.sell] : [decimals.sell, decimals.buy]
  if (paid <= 0n || got <= 0n) return undefined
  return formatAmount((got * 10n ** BigInt(places + paidDecimals)) / (paid * 10n ** BigInt(gotDecimals)), places)
}

/** Whether the price is easier to read the other way round: `1 WETH for 2,500 USDC`, not `1 USDC for 0.0004 WETH`. */
export const isBetterInverted = ({ sell, buy }: Exchange, decimals: Decimals): boolean =>
  buy * 10n ** BigInt(decimals.sell) < sell * 10n ** BigInt(decimals.buy)
