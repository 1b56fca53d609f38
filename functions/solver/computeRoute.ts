import type { Address } from 'viem'
import { computeAmountIn } from './computeAmountIn.ts'
import { computeAmountOut } from './computeAmountOut.ts'
import { type Pool, type Pools, toPairKey } from './findPools.ts'

/** One swap: `amountIn` of one token of the pool goes in, `amountOut` of the other comes out. Atoms. */
export interface Hop {
  pool: Address
  tokenIn: Address
  amountIn: bigint
  amountOut: bigint
  /** whether `tokenIn` is the pool's `token0` */
  zeroForOne: boolean
}

/** Swaps in their order: what comes out of one goes into the next. No swap at all trades a token for itself. */
export interface Route {
  hops: Hop[]
  /** atoms of the path's first token */
  amountIn: bigint
  /** atoms of the path's last token */
  amountOut: bigint
}

/** A pool stores its reserves as uint112 and refuses to hold more. */
const maxReserve = 2n ** 112n - 1n

/**
 * The swaps that sell exactly `amount` of the path's first token (`sell`), or buy exactly `amount` of its last (`buy`).
 * @param path tokens, each pair of neighbours traded in its pool
 * @returns undefined when a pool is missing, empty or too small for the amount
 */
export const computeRoute = (
  pools: Pools,
  path: readonly Address[],
  kind: 'sell' | 'buy',
  amount: bigint,
): Route | undefined => {
  if (amount <= 0n) return undefined
  const hops: Hop[] = []
  const count = path.length - 1
  let carried = amount
  for (let step = 0; step < count; step += 1) {
    const i = kind === 'sell' ? step : count - 1 - step
    const tokenIn = path[i]
    const tokenOut = path[i + 1]
    if (!tokenIn || !tokenOut) return undefined
    const pool = pools.get(toPairKey(tokenIn, tokenOut))
    const hop = pool && computeHop(pool, tokenIn, kind, carried)
    if (!hop) return undefined
    if (kind === 'sell') hops.push(hop)
    else hops.unshift(hop)
    carried = kind === 'sell' ? hop.amountOut : hop.amountIn
  }
  return kind === 'sell'
    ? { hops, amountIn: amount, amountOut: carried }
    : { hops, amountIn: carried, amountOut: amount }
}

const computeHop = (pool: Pool, tokenIn: Address, kind: 'sell' | 'buy', amount: bigint): Hop | undefined => {
  const zeroForOne = tokenIn === pool.token0
  const [reserveIn, reserveOut] = zeroForOne ? [pool.reserve0, pool.reserve1] : [pool.reserve1, pool.reserve0]
  const amountIn = kind === 'sell' ? amount : computeAmountIn(amount, reserveIn, reserveOut)
  const amountOut = kind === 'sell' ? computeAmountOut(amount, reserveIn, reserveOut) : amount
  if (amountIn === undefined || amountOut === undefined || reserveIn + amountIn > maxReserve) return undefined
  return { pool: pool.address, tokenIn, amountIn, amountOut, zeroForOne }
}
