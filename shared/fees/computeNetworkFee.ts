import { mulDivCeil } from '#shared/amounts/mulDiv.ts'
import { toRational } from '#shared/amounts/rational.ts'
import { ApiError } from '#shared/http/errors.ts'

/**
 * Network fee of a quote: the gas cost of settling the trade, charged in the sell token, rounded up.
 *     fee = ⌈ gas · gasPrice / nativePrice ⌉
 * The price's double is taken at its exact value and rounding happens once, at the end, so the fee is never below cost.
 * @param gas gas units: trade, hooks, signature check
 * @param gasPrice wei per gas unit
 * @param nativePrice wei per sell token atom
 * @returns sell token atoms
 * @throws ApiError `NoLiquidity` when the sell token has no native price
 */
export const computeNetworkFee = (gas: bigint, gasPrice: bigint, nativePrice: number | undefined): bigint => {
  if (nativePrice === undefined || !Number.isFinite(nativePrice) || nativePrice <= 0) {
    throw new ApiError('NoLiquidity', { description: 'the sell token has no price in the native token' })
  }
  const { numerator, denominator } = toRational(nativePrice)
  return mulDivCeil(gas * gasPrice, denominator, numerator)
}
