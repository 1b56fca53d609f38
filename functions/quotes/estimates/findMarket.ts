import type { Address } from 'viem'
import { computeDataGas } from '#shared/fees/computeDataGas.ts'
import { ApiError } from '#shared/http/errors.ts'
import { defaultRoom, type SlippageRoom } from '#shared/slippage/computeSuggestedSlippage.ts'
import { isRefusal, isRefusedByAll, type SolverResponses } from '#shared/solvers/collectResponses.ts'
import { type NativePriceDeps, requestNativePrice } from '#shared/solvers/requestNativePrice.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import type { QuoteRequest } from '../request/quoteRequest.ts'

export type FindMarketDeps = NativePriceDeps & {
  /** wei per gas unit; rejects with an ApiError */
  findGasPrice: (timeoutMs: number) => Promise<bigint>
  /** wei that a settlement pays for its data; rejects with an ApiError */
  findDataFee: (timeoutMs: number) => Promise<bigint>
  /** from recent changes of the pair's price and of the gas price */
  findSlippageRoom: (pair: { base: Address; quote: Address }) => Promise<SlippageRoom>
}

/** Current gas price and native prices of both tokens. */
export type EstimateMarket = {
  /** wei per gas unit */
  gasPrice: bigint
  /** gas units that cost as much as the data of a settlement; 0 on networks without a fee for data */
  dataGas: bigint
  /** wei per atom */
  sellTokenPrice: number
  buyTokenPrice: number
  /** whether more than one solver confirms each price */
  isConfirmed: boolean
  /** the default unless the request sets `auto` and the price history arrives in time */
  slippageRoom: SlippageRoom
}

/**
 * Finds gas price and native prices concurrently. The buy token's price is required too: without one an order cannot
 * enter an auction.
 * @param isEnough whether these native prices suffice to stop waiting; by default all solvers are awaited
 * @returns the market; the error `NoLiquidity` when a token has no price, `ServiceUnavailable` when no solver responded, so that a
 *   caller can first report why no solver offered a route
 * @throws ApiError `ServiceUnavailable` without a gas price
 */
export const findMarket = async (
  deps: FindMarketDeps,
  { sellToken, buyToken, slippageBps }: Pick<QuoteRequest, 'sellToken' | 'buyToken' | 'slippageBps'>,
  { timeoutMs, isEnough }: { timeoutMs: number; isEnough?: ((prices: readonly number[]) => boolean) | undefined },
): Promise<EstimateMarket | ApiError> => {
  const findPrice = async (field: Field, token: Address) => {
    const found = await requestNativePrice(deps, token, timeoutMs, isEnough)
    return found.price === undefined ? buildNoPrice(field, token, found.failures) : found
  }
  const findRoom = () => withDeadline(deps.findSlippageRoom({ base: sellToken, quote: buyToken }), timeoutMs)
  const [gasPrice, dataFee, sold, bought, slippageRoom] = await Promise.all([
    deps.findGasPrice(timeoutMs),
    deps.findDataFee(timeoutMs),
    findPrice('sellToken', sellToken),
    findPrice('buyToken', buyToken),
    slippageBps === 'auto' ? findRoom().catch(() => defaultRoom) : defaultRoom,
  ])
  if (sold instanceof ApiError) return sold
  if (bought instanceof ApiError) return bought
  return {
    gasPrice,
    dataGas: computeDataGas(dataFee, gasPrice),
    sellTokenPrice: sold.price,
    buyTokenPrice: bought.price,
    isConfirmed: sold.isConfirmed && bought.isConfirmed,
    slippageRoom,
  }
}

const words = { sellToken: 'sell token', buyToken: 'buy token' } as const
type Field = keyof typeof words

/** As `buildQuoteFailure`: a solver that did not respond may have a price, and without any response nothing is known. */
const buildNoPrice = (field: Field, token: Address, failures: SolverResponses<never>['failures']): ApiError => {
  const data = { field, token, retryable: !isRefusedByAll(failures) }
  if (!failures.some(({ error }) => isRefusal(error))) {
    const description = `no solver responded with the price of the ${words[field]} in the native token`
    return new ApiError('ServiceUnavailable', { description, data })
  }
  const hint = data.retryable ? '; some solvers did not respond, so a retry may help' : ''
  return new ApiError('NoLiquidity', {
    description: `the ${words[field]} has no price in the native token${hint}`,
    data,
  })
}
