import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import type { SolverQuote } from '#shared/solvers/requestQuote.ts'
import { uniswapV2Abi } from '../../../functions/solver/pools/uniswapV2Abi.ts'
import type { SolverMarket } from './solverMarket.ts'

/** A solver's quote that sells tokens in their pool, with its calls. */
export const buildSwapQuote = async (
  { chain, network, solver }: SolverMarket,
  { sellToken, buyToken, sellAmount }: { sellToken: Address; buyToken: Address; sellAmount: bigint },
): Promise<SolverQuote> => {
  const pair = await chain.readContract({
    address: network.uniswapV2Factory,
    abi: uniswapV2Abi,
    functionName: 'getPair',
    args: [sellToken, buyToken],
  })
  const reserves = await chain.readContract({ address: pair, abi: uniswapV2Abi, functionName: 'getReserves' })
  const sellsFirst = sellToken < buyToken
  const [reserveIn, reserveOut] = sellsFirst ? [reserves[0], reserves[1]] : [reserves[1], reserves[0]]
  const buyAmount = (sellAmount * 997n * reserveOut) / (reserveIn * 1000n + sellAmount * 997n)
  const pay = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [pair, sellAmount] })
  const out = sellsFirst ? ([0n, buyAmount] as const) : ([buyAmount, 0n] as const)
  const swap = encodeFunctionData({
    abi: uniswapV2Abi,
    functionName: 'swap',
    args: [...out, network.settlementContract, '0x'],
  })
  return {
    solver: { name: 'direct', address: solver.address.toLowerCase() as Address },
    sellAmount,
    buyAmount,
    gas: 166_391n,
    preInteractions: [],
    interactions: [
      { target: sellToken, value: 0n, callData: pay },
      { target: pair, value: 0n, callData: swap },
    ],
  }
}
