import { type Address, encodeFunctionData, type Hex } from 'viem'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import type { Network } from '#shared/networks.ts'
import type { Interaction } from '#shared/solvers/encodeSettlement.ts'
import { uniswapV2Abi } from '../pools/uniswapV2Abi.ts'
import { uniswapV3Abi } from '../pools/uniswapV3Abi.ts'
import { type Hop, listStrands, type SwapRoute } from './swapRoute.ts'

/**
 * Builds the calls of the settlement contract that trade along a route, strand by strand. The amount in is transferred
 * to the first swap, each swap pays out to the next one, and the last one to the settlement contract. No allowance is
 * needed: tokens are sent to a constant-product pool directly, and to the router for a concentrated one, which sells
 * its whole balance.
 */
export const buildSwapInteractions = (route: SwapRoute, network: Network): Interaction[] => {
  const { router } = network.uniswapV3
  return listStrands(route).flatMap((hops) => {
    const [first] = hops
    if (!first) return []
    const transfer = {
      abi: erc20Abi,
      functionName: 'transfer',
      args: [toInbox(first, router), first.amountIn],
    } as const
    return [
      { target: first.tokenIn, value: 0n, callData: encodeFunctionData(transfer) },
      ...hops.map((hop, i) => {
        const next = hops[i + 1]
        const recipient = next ? toInbox(next, router) : network.settlementContract
        return { target: toInbox(hop, router), value: 0n, callData: encodeSwap(hop, recipient) }
      }),
    ]
  })
}

/** Address that must hold the tokens of a swap when it is called. */
const toInbox = ({ pool }: Hop, router: Address): Address => (pool.kind === 'concentrated' ? router : pool.address)

/**
 * Call of a pool, or of the router for a concentrated one: an amount of 0 means the router's balance, and it pays at
 * least the computed amount, or reverts.
 */
const encodeSwap = ({ pool, tokenIn, tokenOut, amountOut }: Hop, recipient: Address): Hex => {
  if (pool.kind === 'concentrated') {
    const { fee } = pool
    return encodeFunctionData({
      abi: uniswapV3Abi,
      functionName: 'exactInputSingle',
      args: [{ tokenIn, tokenOut, fee, recipient, amountIn: 0n, amountOutMinimum: amountOut, sqrtPriceLimitX96: 0n }],
    })
  }
  const amounts = tokenIn === pool.token0 ? ([0n, amountOut] as const) : ([amountOut, 0n] as const)
  return encodeFunctionData({ abi: uniswapV2Abi, functionName: 'swap', args: [...amounts, recipient, '0x'] })
}
