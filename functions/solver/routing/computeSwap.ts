import type { Address } from 'viem'
import type { ConstantProductPool, Pool } from '../pools/pool.ts'
import { computeAmountIn } from './computeAmountIn.ts'
import { computeAmountOut } from './computeAmountOut.ts'
import { computeConcentratedSwap } from './computeConcentratedSwap.ts'

/** Amounts of a swap, atoms, and the pool after it. */
export interface PoolSwap {
  amountIn: bigint
  amountOut: bigint
  pool: Pool
}

/** A constant-product pool stores its reserves as uint112 and reverts above. */
const maxReserve = 2n ** 112n - 1n

/**
 * Sells an exact amount in a pool (`sell`), or buys one (`buy`), exact to the atom.
 * @param amount atoms
 * @returns undefined when the pool cannot trade it
 */
export const computeSwap = (
  pool: Pool,
  tokenIn: Address,
  kind: 'sell' | 'buy',
  amount: bigint,
): PoolSwap | undefined => {
  const zeroForOne = tokenIn === pool.token0
  return pool.kind === 'concentrated'
    ? computeConcentratedSwap(pool, zeroForOne, kind, amount)
    : computeConstantProductSwap(pool, zeroForOne, kind, amount)
}

const computeConstantProductSwap = (
  pool: ConstantProductPool,
  zeroForOne: boolean,
  kind: 'sell' | 'buy',
  amount: bigint,
): PoolSwap | undefined => {
  const [reserveIn, reserveOut] = zeroForOne ? [pool.reserve0, pool.reserve1] : [pool.reserve1, pool.reserve0]
  const amountIn = kind === 'sell' ? amount : computeAmountIn(amount, reserveIn, reserveOut)
  const amountOut = kind === 'sell' ? computeAmountOut(amount, reserveIn, reserveOut) : amount
  if (amountIn === undefined || amountOut === undefined || reserveIn + amountIn > maxReserve) return undefined
  const [after, left] = [reserveIn + amountIn, reserveOut - amountOut]
  const reserves = zeroForOne ? { reserve0: after, reserve1: left } : { reserve0: left, reserve1: after }
  return { amountIn, amountOut, pool: { ...pool, ...reserves } }
}
