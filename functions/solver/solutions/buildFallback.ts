import { minOf } from '#shared/amounts/minMax.ts'
import type { Batch } from '../batches/batch.ts'
import { wrapToken } from '../batches/wrapToken.ts'
import { computePaid } from '../fills/executed.ts'
import { listStrands, type SwapRoute } from '../routing/swapRoute.ts'
import type { Solution } from './buildSolution.ts'

/** Maximum extra payment to the pools: a hundredth. */
const maxShare = 100n

/**
 * Builds the same trades for pools whose prices have moved since the search: the pools receive part of the network fees
 * of the orders, so that every order still receives its promised amounts. Each of n swaps tolerates a price that is
 * worse by one n-th of that part.
 */
export const buildFallback = (solution: Solution, wrappedNative: Batch['sellToken']): Solution => ({
  ...solution,
  batches: solution.batches.map((batch) => ({
    ...batch,
    route: buildCushionedRoute(batch.route, computeSpare(batch, wrappedNative)),
  })),
})

/** Unallocated atoms of the route's first token: neither the orders nor the pools receive them. */
const computeSpare = ({ fills, route }: Batch, wrappedNative: Batch['sellToken']): bigint => {
  const token = route.hops[0]?.tokenIn
  const isRouted = (other: Batch['sellToken']) => wrapToken(other, wrappedNative) === token
  return fills.reduce(
    (sum, fill) =>
      sum +
      (isRouted(fill.order.sellToken) ? computePaid(fill) : 0n) -
      (isRouted(fill.order.buyToken) ? fill.executedBuy : 0n),
    -route.amountIn,
  )
}

const buildCushionedRoute = (route: SwapRoute, spare: bigint): SwapRoute => {
  const { amountIn } = route
  const cushion = minOf(spare, amountIn / maxShare)
  if (cushion <= 0n) return route
  const addShare = (amount: bigint, shares: number, of: number) =>
    amount + (amount * cushion * BigInt(shares)) / (amountIn * BigInt(of))
  return {
    ...route,
    amountIn: amountIn + cushion,
    hops: listStrands(route).flatMap((hops) =>
      hops.map((hop, i) => ({
        ...hop,
        amountIn: addShare(hop.amountIn, hops.length - i, hops.length),
        amountOut: addShare(hop.amountOut, hops.length - 1 - i, hops.length),
      })),
    ),
  }
}
