import { mulDivFloor } from './mulDiv.ts'

/** The signed terms that decide how much of a signed fee a fill pays, atoms. */
export interface SignedFeeTerms {
  kind: 'sell' | 'buy'
  sellAmount: bigint
  buyAmount: bigint
  /** for the whole order, sell token atoms; on top of `sellAmount` */
  feeAmount: bigint
}

/**
 * The part of an order's signed fee that a fill pays, as the settlement contract takes it (`GPv2Settlement.computeTradeExecution`):
 *     sell: ⌊ feeAmount · executed / sellAmount ⌋    buy: ⌊ feeAmount · executed / buyAmount ⌋
 * @param executed exact side of the fill: sell token atoms without the signed fee, or buy token atoms
 * @returns sell token atoms
 * @throws RangeError when the exact side of the order is zero and the order signs a fee
 */
export const computeSignedFee = (
  { kind, sellAmount, buyAmount, feeAmount }: SignedFeeTerms,
  executed: bigint,
): bigint => (feeAmount === 0n ? 0n : mulDivFloor(feeAmount, executed, kind === 'sell' ? sellAmount : buyAmount))
