import type { Address } from 'viem'
import { minOf } from '#shared/amounts/minMax.ts'
import { wrapToken } from '#shared/networks.ts'
import type { Batch } from '../batches/batch.ts'
import { computePaid } from '../fills/executed.ts'
import { type Hop, listStrands, type SwapRoute } from '../routing/swapRoute.ts'
import type { Solution } from './buildSolution.ts'

/** Maximum extra payment to the pools: a hundredth. */
const maxShare = 100n

/**
 * Builds the same trades for pools whose prices have moved since the search: the pools receive part of the network fees
 * of the orders, so that every order still receives its promised amounts. Each of n swaps tolerates a price that is
 * worse by one n-th of that part. Where the fees are sold, the swap that sells them and those after it do.
 */
export const buildFallback = (solution: Solution, wrappedNative: Address): Solution => ({
  ...solution,
  batches: solution.batches.map((batch) => ({ ...batch, route: buildCushionedRoute(batch, wrappedNative) })),
})

const buildCushionedRoute = (batch: Batch, wrappedNative: Address): SwapRoute => {
  const { route } = batch
  const token = route.hops[0]?.tokenIn
  const spare = token ? computeSpare(batch, token, wrappedNative) : 0n
  if (token && spare > 0n) return addCushion(route, token, spare)
  const sale = route.hops.find(({ tokenOut }) => computeSpare(batch, tokenOut, wrappedNative) > 0n)
  return sale ? addCushion(route, sale.tokenOut, computeSpare(batch, sale.tokenOut, wrappedNative), sale) : route
}

/** Unallocated atoms of a token: neither the orders nor the pools receive them. */
const computeSpare = ({ fills, route }: Batch, token: Address, wrappedNative: Address): bigint => {
  const isRouted = (other: Address) => wrapToken(other, wrappedNative) === token
  const bought = route.hops.reduce((sum, { tokenOut, amountOut }) => sum + (tokenOut === token ? amountOut : 0n), 0n)
  return fills.reduce(
    (sum, fill) =>
      sum +
      (isRouted(fill.order.sellToken) ? computePaid(fill) : 0n) -
      (isRouted(fill.order.buyToken) ? fill.executedBuy : 0n),
    bought - computeSold(route, token),
  )
}

const computeSold = ({ hops }: SwapRoute, token: Address): bigint =>
  hops.reduce((sum, { tokenIn, amountIn }) => sum + (tokenIn === token ? amountIn : 0n), 0n)

/**
 * Adds a part of the spare atoms of a token to what pools receive of it.
 * @param sale swap that brought them: it tolerates a worse price as well
 */
const addCushion = (route: SwapRoute, token: Address, spare: bigint, sale?: Hop): SwapRoute => {
  const strands = listStrands(route)
  const sold = computeSold(route, token)
  const flow = sold > 0n ? sold : (sale?.amountOut ?? 0n)
  const cushion = minOf(spare, flow / maxShare)
  if (cushion <= 0n) return route
  const earlier = sale ? 1 : 0
  const longest = Math.max(0, ...strands.map((hops) => (hops[0]?.tokenIn === token ? hops.length : 0)))
  const addShare = (amount: bigint, shares: number, of: number) =>
    amount + (amount * cushion * BigInt(shares)) / (flow * BigInt(of + earlier))
  return {
    ...route,
    amountIn: route.amountIn + (sale ? 0n : cushion),
    hops: strands.flatMap((hops) =>
      hops.map((hop, i) => {
        if (hop === sale) return { ...hop, amountOut: hop.amountOut - cushion / BigInt(longest + 1) }
        if (hops[0]?.tokenIn !== token) return hop
        return {
          ...hop,
          amountIn: addShare(hop.amountIn, hops.length - i, hops.length),
          amountOut: addShare(hop.amountOut, hops.length - 1 - i, hops.length),
        }
      }),
    ),
  }
}
