import type { Address } from 'viem'
import { hopGas } from './computeGas.ts'
import { type Pools, toPairKey } from './findPools.ts'

/**
 * What one swap's gas is worth in a token, by the spot price of the token's pool with the wrapped native one, rounded down.
 * @param gasPrice wei per gas unit
 * @returns token atoms; 0 when there is no such pool, so that paths are compared by their amounts alone
 */
export const computeHopCost = (pools: Pools, token: Address, wrappedNative: Address, gasPrice: bigint): bigint => {
  const wei = hopGas * gasPrice
  if (token === wrappedNative) return wei
  const pool = pools.get(toPairKey(token, wrappedNative))
  if (!pool) return 0n
  const [reserve, nativeReserve] =
    token === pool.token0 ? [pool.reserve0, pool.reserve1] : [pool.reserve1, pool.reserve0]
  return nativeReserve === 0n ? 0n : (wei * reserve) / nativeReserve
}
