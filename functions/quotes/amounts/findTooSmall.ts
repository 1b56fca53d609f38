import { mulDivCeil } from '#shared/amounts/mulDiv.ts'
import { toRational } from '#shared/amounts/rational.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { EstimateMarket } from '../estimates/findMarket.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import type { Quote } from './buildQuote.ts'
import { buildTooSmall, computeMinSellAmount } from './buildTooSmall.ts'

/** gas units: several times the gas of most trades */
const roomyGas = 3_000_000n

/**
 * Distinguishes a size that is too small from a pair without a route, by quoting a size that easily pays for its gas.
 * @param find the quote of another size; rejects with an ApiError on failure
 * @returns `SellAmountDoesNotCoverFee` when the larger size has a route and the size of the request is below the
 *   minimum; undefined otherwise
 */
export const findTooSmall = async (
  prepared: PreparedRequest,
  market: EstimateMarket,
  find: (larger: PreparedRequest) => Promise<Quote>,
): Promise<ApiError | undefined> => {
  const { request } = prepared
  const { size } = request
  if (size.of === 'buy') return undefined
  const amount = computeRoomyAmount(market)
  if (size.amount >= amount) return undefined
  try {
    const { estimate, feeAmount } = await find({ ...prepared, request: { ...request, size: { ...size, amount } } })
    const isTooSmall = size.amount < computeMinSellAmount(size, estimate, feeAmount)
    return isTooSmall ? buildTooSmall(size, estimate, feeAmount) : undefined
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** @returns sell token atoms worth at least `roomyGas` and one atom of the buy token */
const computeRoomyAmount = ({ gasPrice, dataGas, sellTokenPrice, buyTokenPrice }: EstimateMarket): bigint => {
  const { numerator, denominator } = toRational(sellTokenPrice)
  const worthOfGas = mulDivCeil((roomyGas + dataGas) * gasPrice, denominator, numerator)
  return worthOfGas + BigInt(Math.ceil(Math.min(buyTokenPrice / sellTokenPrice, 1e60) * 1_000))
}
