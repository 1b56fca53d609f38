import type { Address } from 'viem'
import { ApiError } from '#shared/http/errors.ts'
import { SolverError } from '#shared/solvers/askSolver.ts'
import { findNativePrice, type NativePriceDeps } from '#shared/solvers/findNativePrice.ts'

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
}

/**
 * Gas price and native prices, at once. The buy token's price is needed too: without one an order could never enter an
 * auction.
 * @param enough stop waiting for native prices after this many; by default all solvers are waited for
 * @returns the market; a function that throws `NoLiquidity` when a token has no price, so that a caller may first say why
 *   no solver offered a route
 * @throws ApiError `ServiceUnavailable` without a gas price
 */
export const findMarket = async (
  deps: FindMarketDeps,
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  { timeoutMs, enough }: { timeoutMs: number; enough?: number | undefined },
): Promise<() => Market> => {
  const findPrice = (token: Address) => findNativePrice(deps, token, timeoutMs, enough).catch(keepSolverError)
  const [gasPrice, sellTokenPrice, buyTokenPrice] = await Promise.all([
    deps.findGasPrice(timeoutMs),
    findPrice(sellToken),
    findPrice(buyToken),
  ])
  return () => {
    checkPriced('sellToken', sellToken, sellTokenPrice)
    checkPriced('buyToken', buyToken, buyTokenPrice)
    return { gasPrice, sellTokenPrice, buyTokenPrice }
  }
}

const keepSolverError = (error: unknown): SolverError => {
  if (error instanceof SolverError) return error
  throw error
}

function checkPriced(field: string, token: Address, price: number | undefined | SolverError): asserts price is number {
  if (typeof price === 'number') return
  throw new ApiError('NoLiquidity', {
    description: `${field} has no price in the native token`,
    data: { field, token, retryable: price !== undefined },
  })
}
