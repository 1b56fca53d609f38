import type { Address } from 'viem'
import type { Pool } from '../pools/pool.ts'
import type { Leg } from './buildLegs.ts'
import { isBetterRate, type Rate } from './rate.ts'

const wholePpm = 1_000_000n
const constantProductFee = 3_000n

/** Marginal rate of a pool, its fee included: an upper bound of the rate of any trade. */
export const computeSpot = (pool: Pool, tokenIn: Address): Rate => {
  const zeroForOne = tokenIn === pool.token0
  if (pool.kind === 'concentrated') {
    const afterFee = wholePpm - BigInt(pool.fee)
    const price = pool.sqrtPrice * pool.sqrtPrice
    return zeroForOne
      ? { amountIn: wholePpm << 192n, amountOut: price * afterFee }
      : { amountIn: price * wholePpm, amountOut: afterFee << 192n }
  }
  const [reserveIn, reserveOut] = zeroForOne ? [pool.reserve0, pool.reserve1] : [pool.reserve1, pool.reserve0]
  return { amountIn: reserveIn * wholePpm, amountOut: reserveOut * (wholePpm - constantProductFee) }
}

/** Marginal rate along legs, through the best pool of each. */
export const computeSpotAlong = (legs: readonly Leg[]): Rate => {
  let rate: Rate = { amountIn: 1n, amountOut: 1n }
  for (const { tokenIn, pools } of legs) {
    const spots = pools.map((pool) => computeSpot(pool, tokenIn))
    const best = spots.reduce((a, b) => (isBetterRate(b, a) ? b : a))
    rate = { amountIn: rate.amountIn * best.amountIn, amountOut: rate.amountOut * best.amountOut }
  }
  return rate
}
