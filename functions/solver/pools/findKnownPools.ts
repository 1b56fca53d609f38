import { type Address, ContractFunctionExecutionError, zeroAddress } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { multicallOptions } from './multicallOptions.ts'
import type { ConcentratedPool } from './pool.ts'
import type { ReadAt } from './readAt.ts'
import { uniswapV3Abi } from './uniswapV3Abi.ts'

/** fee in millionths → tick spacing, for every fee tier of the public factories */
const tickSpacings = [
  [100, 1],
  [500, 10],
  [3_000, 60],
  [10_000, 200],
] as const

/** A pool with its address, before its price is read. */
export type KnownPool = Pick<ConcentratedPool, 'kind' | 'address' | 'token0' | 'token1' | 'fee' | 'tickSpacing'>

/** Finds the addresses of the pools of pairs, one of each fee tier. */
export const findKnownPools = async (
  client: ChainClient,
  factory: Address,
  pairs: readonly [Address, Address][],
  at: ReadAt,
): Promise<KnownPool[]> => {
  const candidates = pairs.flatMap(([token0, token1]) =>
    tickSpacings.map(([fee, tickSpacing]) => ({ kind: 'concentrated' as const, token0, token1, fee, tickSpacing })),
  )
  const addresses = await client.multicall({
    contracts: candidates.map(({ token0, token1, fee }) => {
      const args = [token0, token1, fee] as const
      return { address: factory, abi: uniswapV3Abi, functionName: 'getPool', args } as const
    }),
    ...multicallOptions,
    allowFailure: true,
    ...at,
  })
  for (const { error } of addresses) if (error && isMulticallFault(error)) throw error
  return candidates.flatMap((candidate, i) => {
    const address = addresses[i]?.result
    return address && address !== zeroAddress ? [{ ...candidate, address: address.toLowerCase() as Address }] : []
  })
}

/** A network may lack the factory. A multicall that fails as a whole is a node failure, not a lack of pools. */
const isMulticallFault = (error: Error): boolean =>
  error instanceof ContractFunctionExecutionError && error.functionName === 'aggregate3'
