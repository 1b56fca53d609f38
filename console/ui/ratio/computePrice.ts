import type { Ratio } from './parseRatio.ts'

/**
 * Price of a trade in whole tokens.
 * @returns buy tokens for one sell token
 */
export const computePrice = (
  { sellAmount, buyAmount }: { sellAmount: bigint; buyAmount: bigint },
  decimals: { sell: number; buy: number },
): Ratio => ({
  numerator: buyAmount * 10n ** BigInt(decimals.sell),
  denominator: sellAmount * 10n ** BigInt(decimals.buy),
})
