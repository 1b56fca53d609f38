import type { Address } from 'viem'
import type { ConstantProductPool, Pool } from '../pools/pool.ts'
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

/**
 * Amount in of a constant-product pool for an exact amount out, including its fee of 0.3 %, rounded up
 * (`UniswapV2Library.getAmountIn`, which adds 1 even when the division is exact):
 *     in = ⌊ reserveIn · out · 1000 / ((reserveOut − out) · 997) ⌋ + 1
 * @returns atoms of the sold token; undefined when the pool's reserve is not above `amountOut`
 */
export const computeAmountIn = (amountOut: bigint, reserveIn: bigint, reserveOut: bigint): bigint | undefined => {
  if (amountOut <= 0n || reserveIn <= 0n || amountOut >= reserveOut) return undefined
  return (reserveIn * amountOut * 1000n) / ((reserveOut - amountOut) * 997n) + 1n
}

/**
 * Amount out of a constant-product pool for an exact amount in, after its fee of 0.3 %, rounded down
 * (`UniswapV2Library.getAmountOut`):
 *     out = ⌊ in · 997 · reserveOut / (reserveIn · 1000 + in · 997) ⌋
 * @returns atoms of the bought token; undefined when that is 0, or a reserve is empty
 */
export const computeAmountOut = (amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint | undefined => {
  if (amountIn <= 0n || reserveIn <= 0n || reserveOut <= 0n) return undefined
  const amountInAfterFee = amountIn * 997n
  const amountOut = (amountInAfterFee * reserveOut) / (reserveIn * 1000n + amountInAfterFee)
  return amountOut > 0n ? amountOut : undefined
}
