import { type Address, encodeFunctionData, type Hex } from 'viem'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import type { Network } from '#shared/networks.ts'
import type { Interaction } from '#shared/solvers/encodeSettlement.ts'
import { uniswapV2Abi } from '../pools/uniswapV2Abi.ts'
import { uniswapV3Abi } from '../pools/uniswapV3Abi.ts'
import type { Hop, Route } from './computeRoute.ts'

/**
 * The calls by which the settlement contract trades along a route: the amount in goes straight to where the first swap
 * expects it, each swap sends what it pays on to the next, the last one to the settlement contract. No allowance is
 * involved: a constant-product pool is paid itself, and a concentrated one by the router, which sells all that it was sent.
 */
export const buildSwapInteractions = (route: Route, network: Network): Interaction[] => {
  const { router } = network.uniswapV3
  const [first] = route.hops
  if (!first) return []
  const transfer = {
    abi: erc20Abi,
    functionName: 'transfer',
    args: [toInbox(first, router), first.amountIn],
  } as const
  return [
    { target: first.tokenIn, value: 0n, callData: encodeFunctionData(transfer) },
    ...route.hops.map((hop, i) => {
      const next = route.hops[i + 1]
      const recipient = next ? toInbox(next, router) : network.settlementContract
      const [target, callData] =
        hop.pool.kind === 'concentrated'
          ? [router, encodeRouterCall(hop, hop.pool.fee, recipient)]
          : [hop.pool.address, encodePoolCall(hop, recipient)]
      return { target, value: 0n, callData }
    }),
  ]
}

/** Where the tokens of a swap have to be when it is called. */
const toInbox = ({ pool }: Hop, router: Address): Address => (pool.kind === 'concentrated' ? router : pool.address)

const encodePoolCall = ({ pool, tokenIn, amountOut }: Hop, recipient: Address): Hex => {
  const amounts = tokenIn === pool.token0 ? ([0n, amountOut] as const) : ([amountOut, 0n] as const)
  return encodeFunctionData({ abi: uniswapV2Abi, functionName: 'swap', args: [...amounts, recipient, '0x'] })
}

/** An amount of 0 means what the router holds. It pays at least what was computed, or reverts. */
const encodeRouterCall = ({ tokenIn, tokenOut, amountOut }: Hop, fee: number, recipient: Address): Hex =>
  encodeFunctionData({
    abi: uniswapV3Abi,
    functionName: 'exactInputSingle',
    args: [{ tokenIn, tokenOut, fee, recipient, amountIn: 0n, amountOutMinimum: amountOut, sqrtPriceLimitX96: 0n }],
  })
