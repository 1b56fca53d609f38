import { computeSwap } from './computeSwap.ts'
import type { SwapRoute } from './swapRoute.ts'

/** Initialised ticks that a route's swaps in concentrated-liquidity pools cross, each pool as if it came first. */
export const countCrossedTicks = ({ hops }: Pick<SwapRoute, 'hops'>): bigint => {
  let crossed = 0n
  for (const { pool, tokenIn, amountIn } of hops) {
    if (pool.kind !== 'concentrated') continue
    const after = computeSwap(pool, tokenIn, 'sell', amountIn)?.pool
    if (after?.kind !== 'concentrated') continue
    const [low, high] = pool.tick < after.tick ? [pool.tick, after.tick] : [after.tick, pool.tick]
    for (const tick of pool.ticks.keys()) if (tick > low && tick <= high) crossed += 1n
  }
  return crossed
}
