import { type Address, encodeFunctionData } from 'viem'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import { uniswapV2Abi } from '#shared/chain/uniswapV2Abi.ts'
import { wrappedNativeAbi } from '#shared/chain/wrappedNativeAbi.ts'
import type { Interaction } from '#shared/solvers/encodeSettlement.ts'
import type { Route } from './computeRoute.ts'

/**
 * The calls by which the settlement contract trades along a route: the amount in goes straight to the first pool, each pool
 * sends what it pays to the next, the last one to the settlement contract. No allowance is involved.
 * @param unwrap the wrapped native token when the route's buyer gets the native one: all of it is unwrapped at the end
 */
export const buildSwapInteractions = (
  route: Route,
  settlementContract: Address,
  unwrap: Address | undefined,
): Interaction[] => {
  const [first] = route.hops
  const interactions = route.hops.map(({ pool, amountOut, zeroForOne }, i) => ({
    target: pool,
    value: 0n,
    callData: encodeFunctionData({
      abi: uniswapV2Abi,
      functionName: 'swap',
      args: [
        zeroForOne ? 0n : amountOut,
        zeroForOne ? amountOut : 0n,
        route.hops[i + 1]?.pool ?? settlementContract,
        '0x',
      ],
    }),
  }))
  if (first) {
    interactions.unshift({
      target: first.tokenIn,
      value: 0n,
      callData: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [first.pool, first.amountIn],
      }),
    })
  }
  if (unwrap) {
    interactions.push({
      target: unwrap,
      value: 0n,
      callData: encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'withdraw', args: [route.amountOut] }),
    })
  }
  return interactions
}
