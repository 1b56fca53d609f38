import { mulDivFloor } from '#shared/amounts/mulDiv.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { QuoteSize } from '../request/quoteRequest.ts'
import { buildTooSmall } from './buildTooSmall.ts'

/** Amounts of a quote in atoms. The client signs `sellAmount + feeAmount` and a `feeAmount` of 0. */
export type QuoteAmounts = { sellAmount: bigint; buyAmount: bigint; feeAmount: bigint }

/**
 * Quoted amounts for the requested size. Only `sellBeforeFee` includes the fee; the remainder buys in proportion.
 *
 * | size          | sellAmount         | buyAmount                              |
 * |---------------|--------------------|----------------------------------------|
 * | sellBeforeFee | amount − feeAmount | ⌊ estimate.buy · sellAmount / amount ⌋ |
 * | sellAfterFee  | amount             | estimate.buy                           |
 * | buy           | estimate.sell      | amount                                 |
 *
 * `feeAmount` is the network fee in each of them.
 * @param estimate sell and buy token atoms of the best estimate, before any fee
 * @param networkFee sell token atoms
 * @throws ApiError `SellAmountDoesNotCoverFee` with the fee and the minimum when the fee exceeds the budget;
 *   `SellAmountOverflow` when `sellAmount + feeAmount` exceeds a uint256
 */
export const computeQuoteAmounts = (
  size: QuoteSize,
  estimate: { sellAmount: bigint; buyAmount: bigint },
  networkFee: bigint,
): QuoteAmounts => {
  if (size.of !== 'sellBeforeFee') {
    if (estimate.sellAmount + networkFee > maxUint256) throw new ApiError('SellAmountOverflow')
    return { ...estimate, feeAmount: networkFee }
  }
  const sellAmount = size.amount > networkFee ? size.amount - networkFee : 0n
  const buyAmount = mulDivFloor(estimate.buyAmount, sellAmount, size.amount)
  if (buyAmount === 0n) throw buildTooSmall(size, estimate, networkFee)
  return { sellAmount, buyAmount, feeAmount: networkFee }
}
