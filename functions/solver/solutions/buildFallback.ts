import { minOf } from '#shared/amounts/minMax.ts'
import { nativeSentinel } from '#shared/networks.ts'
import type { Batch } from '../batches/buildBatch.ts'
import { computePaid } from '../batches/buildFill.ts'
import type { Route } from '../routing/computeRoute.ts'
import type { Solution } from './buildSolution.ts'

/** The pools get at most a hundredth more than they asked for. */
const maxShare = 100n

/**
 * The same trades for pools that have moved since the search: the pools get more of what the orders pay for the network, so
 * that every order still gets what was promised. Each of n swaps withstands a price that is worse by an n-th of that.
 */
export const buildFallback = (solution: Solution, wrappedNative: Batch['sellToken']): Solution => ({
  ...solution,
  batches: solution.batches.map((batch) => ({
    ...batch,
    route: buildCushionedRoute(batch.route, computeSpare(batch, wrappedNative)),
  })),
})

/** Atoms of the first token of the route that neither the orders nor the pools get. */
const computeSpare = ({ fills, route }: Batch, wrappedNative: Batch['sellToken']): bigint => {
  const token = route.hops[0]?.tokenIn
  const isRouted = (other: Batch['sellToken']) => (other === nativeSentinel ? wrappedNative : other) === token
  return fills.reduce(
    (sum, fill) =>
      sum +
      (isRouted(fill.order.sellToken) ? computePaid(fill) : 0n) -
      (isRouted(fill.order.buyToken) ? fill.executedBuy : 0n),
    -route.amountIn,
  )
}

const buildCushionedRoute = (route: Route, spare: bigint): Route => {
  const { hops, amountIn } = route
  const cushion = minOf(spare, amountIn / maxShare)
  if (cushion <= 0n) return route
  const addShare = (amount: bigint, shares: number) =>
    amount + (amount * cushion * BigInt(shares)) / (amountIn * BigInt(hops.length))
  return {
    ...route,
    amountIn: amountIn + cushion,
    hops: hops.map((hop, i) => ({
      ...hop,
      amountIn: addShare(hop.amountIn, hops.length - i),
      amountOut: addShare(hop.amountOut, hops.length - 1 - i),
    })),
  }
}
