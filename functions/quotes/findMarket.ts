import type { Address } from 'viem'
import { ApiError } from '#shared/http/errors.ts'
import { SolverError } from '#shared/solvers/askSolver.ts'
import { findNativePrice, type NativePrice, type NativePriceDeps } from '#shared/solvers/findNativePrice.ts'

export type FindMarketDeps = NativePriceDeps & {
  /** wei per gas unit; rejects with an ApiError */
  findGasPrice: (timeoutMs: number) => Promise<bigint>
}

/** What gas and both tokens cost now. */
export type Market = {
  /** wei per gas unit */
  gasPrice: bigint
  /** wei per atom */
  sellTokenPrice: number
  buyTokenPrice: number
  /** whether more than one solver stands behind each price */
  isConfirmed: boolean
}

/**
 * Gas price and native prices, at once. The buy token's price is needed too: without one an order could never enter an
 * auction.
 * @param isEnough stop waiting with these native prices; by default all solvers are waited for
 * @returns the market; a function that throws `NoLiquidity` when a token has no price and `ServiceUnavailable` when no solver
 *   responded, so that a caller may first say why no solver offered a route
 * @throws ApiError `ServiceUnavailable` without a gas price
 */
export const findMarket = async (
  deps: FindMarketDeps,
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  { timeoutMs, isEnough }: { timeoutMs: number; isEnough?: ((prices: readonly number[]) => boolean) | undefined },
): Promise<() => Market> => {
  const findPrice = (token: Address) => findNativePrice(deps, token, timeoutMs, isEnough).catch(keepSolverError)
  const [gasPrice, sold, bought] = await Promise.all([
    deps.findGasPrice(timeoutMs),
    findPrice(sellToken),
    findPrice(buyToken),
  ])
  return () => {
    checkPriced('sellToken', sellToken, sold)
    checkPriced('buyToken', buyToken, bought)
    return {
      gasPrice,
      sellTokenPrice: sold.price,
      buyTokenPrice: bought.price,
      isConfirmed: sold.isConfirmed && bought.isConfirmed,
    }
  }
}

const keepSolverError = (error: unknown): SolverError => {
  if (error instanceof SolverError) return error
  throw error
}

function checkPriced(
  field: string,
  token: Address,
  price: NativePrice | undefined | SolverError,
): asserts price is NativePrice {
  if (price instanceof SolverError) {
    throw new ApiError('ServiceUnavailable', {
      description: `no solver responded with the price of ${field} in the native token`,
      data: { field, token, retryable: true },
    })
  }
  if (price) return
  throw new ApiError('NoLiquidity', {
    description: `${field} has no price in the native token`,
    data: { field, token, retryable: false },
  })
}
