import type { Address } from 'viem'
import { type Pools, toPairKey } from '../pools/pool.ts'
import { hopGas } from './computeGas.ts'
import { computeSpot } from './computeSpot.ts'

/**
 * Gas cost of one constant-product swap in a token, by the spot price of the token's first pool with the wrapped native
 * one, rounded down.
 * @param gasPrice wei per gas unit
 * @returns token atoms; 0 without such a pool, so that paths are compared by their amounts alone
 */
export const computeHopCost = (pools: Pools, token: Address, wrappedNative: Address, gasPrice: bigint): bigint => {
  const wei = hopGas * gasPrice
  if (token === wrappedNative) return wei
  const [pool] = pools.get(toPairKey(token, wrappedNative)) ?? []
  if (!pool) return 0n
  const { amountIn, amountOut } = computeSpot(pool, wrappedNative)
  return amountIn === 0n ? 0n : (wei * amountOut) / amountIn
}
