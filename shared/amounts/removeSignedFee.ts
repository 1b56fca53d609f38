import { computeSignedFee, type SignedFeeTerms } from './computeSignedFee.ts'
import { mulDivCeil } from './mulDiv.ts'

/**
 * Sell token atoms that a fill trades: what left the owner less the part of the signed fee in it. The inverse of adding
 * `computeSignedFee`. With a sell order of S and its fee F, and with X atoms that left the owner:
 *     sell: ⌈ X · S / (S + F) ⌉    the only amount e with e + ⌊ F · e / S ⌋ = X, when there is one
 *     buy:  X − ⌊ F · executedBuy / buyAmount ⌋
 * @param executedSell X, the signed fee included
 * @returns below zero when a buy order pays less than its fee
 */
export const removeSignedFee = (
  order: SignedFeeTerms,
  { executedSell, executedBuy }: { executedSell: bigint; executedBuy: bigint },
): bigint => {
  const { kind, sellAmount, feeAmount } = order
  if (feeAmount === 0n) return executedSell
  return kind === 'sell'
    ? mulDivCeil(executedSell, sellAmount, sellAmount + feeAmount)
    : executedSell - computeSignedFee(order, executedBuy)
}
