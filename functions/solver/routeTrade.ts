import type { Address } from 'viem'
import { computeRoute, type Route } from './computeRoute.ts'
import type { Pools } from './findPools.ts'

/**
 * The best of all paths, net of the gas its swaps cost: most out for a `sell`, least in for a `buy`. Equal paths: the
 * first, so give the shortest first.
 * @param paths from `buildPaths`, all between the same two tokens
 * @param amount atoms: sold exactly (`sell`, first token) or bought exactly (`buy`, last token)
 * @param hopCost what one swap's gas is worth, in atoms of the token whose amount is not exact; 0 when unknown
 * @returns undefined when no path can trade the amount
 */
export const routeTrade = (
  pools: Pools,
  paths: readonly Address[][],
  kind: 'sell' | 'buy',
  amount: bigint,
  hopCost: bigint,
): Route | undefined => {
  let best: { route: Route; worth: bigint } | undefined
  for (const path of paths) {
    const route = computeRoute(pools, path, kind, amount)
    if (!route) continue
    const gasCost = BigInt(route.hops.length) * hopCost
    const worth = kind === 'sell' ? route.amountOut - gasCost : -(route.amountIn + gasCost)
    if (!best || worth > best.worth) best = { route, worth }
  }
  return best?.route
}
