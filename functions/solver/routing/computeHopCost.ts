import type { Address } from 'viem'
import { type Pools, toPairKey } from '../pools/pool.ts'
import { hopGas } from './computeGas.ts'
import { computeSpot } from './computeSpot.ts'

/**
 * What the gas of one swap in a constant-product pool is worth in a token, by the spot price of the token's pool with the
 * wrapped native one, rounded down. Of several pools the first counts.
 * @param gasPrice wei per gas unit
 * @returns token atoms; 0 when there is no such pool, so that paths are compared by their amounts alone
 */
export const computeHopCost = (pools: Pools, token: Address, wrappedNative: Address, gasPrice: bigint): bigint => {
  const wei = hopGas * gasPrice
  if (token === wrappedNative) return wei
  const [pool] = pools.get(toPairKey(token, wrappedNative)) ?? []
  if (!pool) return 0n
  const { amountIn, amountOut } = computeSpot(pool, wrappedNative)
  return amountIn === 0n ? 0n : (wei * amountOut) / amountIn
}
