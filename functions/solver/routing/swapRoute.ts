import type { Address } from 'viem'
import type { Pool } from '../pools/pool.ts'

/** One swap: `amountIn` of one token of the pool for `amountOut` of the other, atoms. */
export interface Hop {
  pool: Pool
  tokenIn: Address
  tokenOut: Address
  amountIn: bigint
  amountOut: bigint
}

/**
 * Swaps in sequence: the output of each is the input of the next. Each swap that sells something else than all that the
 * one before it bought begins another strand: those trade one after the other, each with a part of the amount, with what
 * an earlier one left in the settlement contract, or with fees. Empty for a token traded for itself.
 */
export interface SwapRoute {
  hops: Hop[]
  /** atoms of the path's first token, without fees that are sold as well */
  amountIn: bigint
  /** atoms of the path's last token */
  amountOut: bigint
}

/** Trade without any pool. */
export const noRoute: SwapRoute = { hops: [], amountIn: 0n, amountOut: 0n }

/** The swaps of a route, strand by strand. */
export const listStrands = ({ hops }: SwapRoute): Hop[][] => {
  const strands: Hop[][] = []
  for (const hop of hops) {
    const strand = strands.at(-1)
    const last = strand?.at(-1)
    if (last?.tokenOut === hop.tokenIn && last.amountOut === hop.amountIn) strand?.push(hop)
    else strands.push([hop])
  }
  return strands
}
