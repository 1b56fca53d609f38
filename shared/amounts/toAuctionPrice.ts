import { maxUint256 } from './uint256.ts'

/** `auctionPrice` of the native token itself, and the divisor that turns atoms × auction price into wei. */
export const auctionPriceScale = 10n ** 18n

/**
 * Price of a token in an auction: wei per 10^18 atoms, rounded down.
 *
 * The product is taken as a double, as other order books do, so that the same price on the wire gives the same auction
 * price (0.1 gives 10^17 exactly).
 * @param nativePrice wei per atom
 * @returns undefined when the price does not fit in 1 ≤ price ≤ 2^256 − 1: such a token has no price in an auction
 */
export function toAuctionPrice(nativePrice: number): bigint | undefined {
  const scaled = Math.floor(nativePrice * 1e18)
  if (!Number.isFinite(scaled) || scaled < 1) return undefined
  const auctionPrice = BigInt(scaled)
  return auctionPrice <= maxUint256 ? auctionPrice : undefined
}
