import type { Address } from 'viem'
import type { Pools } from '../pools/pool.ts'
import { buildLegs, type Leg } from './buildLegs.ts'
import { computeSwapGas, hopGas } from './computeGas.ts'
import { computeRoute } from './computeRoute.ts'
import type { SwapRoute } from './swapRoute.ts'

/**
 * Finds the best route along the paths, net of the gas of its swaps: highest amount out for a `sell`, lowest amount in
 * for a `buy`. Ties go to the first route, so give the shortest path first.
 * @param paths from `buildPaths`, all between the same two tokens
 * @param amount atoms: sold exactly (`sell`, first token) or bought exactly (`buy`, last token)
 * @param hopCost gas cost of a constant-product swap, in atoms of the token whose amount is not exact; 0 when unknown
 * @param computeFeeGas gas of turning the fees of a trade along legs into what the solver retains; undefined when none can
 * @returns undefined when no path can trade the amount
 */
export const routeTrade = (
  pools: Pools,
  paths: readonly Address[][],
  kind: 'sell' | 'buy',
  amount: bigint,
  hopCost: bigint,
  computeFeeGas: (legs: Leg[]) => bigint | undefined = () => 0n,
): SwapRoute | undefined => {
  let best: { route: SwapRoute; worth: bigint } | undefined
  for (const legs of paths.flatMap((path) => buildLegs(pools, path))) {
    const feeGas = computeFeeGas(legs)
    const route = feeGas === undefined ? undefined : computeRoute(legs, kind, amount, 0n)
    if (!route || feeGas === undefined) continue
    const gasCost = ((computeSwapGas(legs) + feeGas) * hopCost) / hopGas
    const worth = kind === 'sell' ? route.amountOut - gasCost : -(route.amountIn + gasCost)
    if (!best || worth > best.worth) best = { route, worth }
  }
  return best?.route
}
