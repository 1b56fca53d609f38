import { mulDivCeil } from '#shared/amounts/mulDiv.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { QuoteSize } from '../request/quoteRequest.ts'

/**
 * Error for a size that buys nothing: the network fee exceeds the budget, or the amount buys less than one atom.
 * @param estimate sell and buy token atoms of a trade of the same pair, before any fee
 * @param networkFee sell token atoms
 * @returns ApiError whose `minSellAmount` is the smallest size that buys one atom, plus a tenth of the fee for rising
 *   gas prices
 */
export const buildTooSmall = (
  size: QuoteSize,
  estimate: { sellAmount: bigint; buyAmount: bigint },
  networkFee: bigint,
): ApiError =>
  new ApiError('SellAmountDoesNotCoverFee', {
    data: {
      // name and hex form as the public order book's clients expect them
      fee_amount: `0x${networkFee.toString(16)}`,
      feeAmount: networkFee.toString(),
      [size.of === 'sellAfterFee' ? 'sellAmountAfterFee' : 'sellAmountBeforeFee']: size.amount.toString(),
      minSellAmount: computeMinSellAmount(size, estimate, networkFee).toString(),
    },
  })

/** @returns sell token atoms */
export const computeMinSellAmount = (
  { of }: Pick<QuoteSize, 'of'>,
  { sellAmount, buyAmount }: { sellAmount: bigint; buyAmount: bigint },
  networkFee: bigint,
): bigint => {
  const oneAtom = mulDivCeil(sellAmount, 1n, buyAmount)
  return of === 'sellAfterFee' ? oneAtom + oneAtom / 10n : mulDivCeil(networkFee, 11n, 10n) + oneAtom
}
