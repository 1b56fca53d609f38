import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { readSingleWord } from '../chain/calls/readWord.ts'
import type { Simulate } from '../chain/calls/simulateCalls.ts'
import type { Network } from '../networks.ts'

export type PoolNetwork = Pick<Network, 'wrappedNative' | 'usdReference' | 'uniswapV2Factory' | 'uniswapV3'>

const factoryAbi = parseAbi([
  'function getPair(address tokenA, address tokenB) view returns (address pair)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address pool)',
])
const fees = [500, 3_000, 10_000] as const
const callGas = 200_000n

/**
 * Finds pools of a token with the wrapped native token and the dollar reference: accounts that hold it and that no client
 * chooses, because the factories compute their addresses.
 * @throws SimulationError
 */
export const findHoldingPools = async (
  simulate: Simulate,
  { wrappedNative, usdReference, uniswapV2Factory, uniswapV3 }: PoolNetwork,
  token: Address,
  signal: AbortSignal,
): Promise<Address[]> => {
  const bases = [wrappedNative, usdReference.address].filter((base) => base !== token)
  const calls = bases.flatMap((base) => [
    {
      to: uniswapV2Factory,
      data: encodeFunctionData({ abi: factoryAbi, functionName: 'getPair', args: [token, base] }),
      gas: callGas,
    },
    ...fees.map((fee) => ({
      to: uniswapV3.factory,
      data: encodeFunctionData({ abi: factoryAbi, functionName: 'getPool', args: [token, base, fee] }),
      gas: callGas,
    })),
  ])
  const { results } = await simulate(calls, {}, signal)
  const pools = results.flatMap(({ succeeded, returnData }) => {
    const word = succeeded ? readSingleWord(returnData) : undefined
    return word ? [`0x${word.toString(16).padStart(40, '0')}` as const] : []
  })
  return pools.filter((pool) => pool.length === 42)
}
