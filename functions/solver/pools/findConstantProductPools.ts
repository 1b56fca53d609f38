import { type Address, zeroAddress } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { multicallOptions } from './multicallOptions.ts'
import type { ConstantProductPool } from './pool.ts'
import type { ReadAt } from './readAt.ts'
import { uniswapV2Abi } from './uniswapV2Abi.ts'

/**
 * Finds the Uniswap V2 pools of pairs, in two steps of one multicall each: addresses from the factory, then reserves.
 * All reserves come from one block unless a step must be split.
 * @param pairs tokens in the order of their addresses
 * @throws viem errors when the node fails
 */
export const findConstantProductPools = async (
  client: ChainClient,
  factory: Address,
  pairs: readonly [Address, Address][],
  at: ReadAt,
): Promise<ConstantProductPool[]> => {
  const addresses = await client.multicall({
    contracts: pairs.map((args) => ({ address: factory, abi: uniswapV2Abi, functionName: 'getPair', args }) as const),
    ...multicallOptions,
    ...at,
  })
  const known = pairs.flatMap(([token0, token1], i) => {
    const address = addresses[i]
    if (!address || address === zeroAddress) return []
    return [{ kind: 'constantProduct' as const, address: address.toLowerCase() as Address, token0, token1 }]
  })
  if (known.length === 0) return []
  const reserves = await client.multicall({
    contracts: known.map(({ address }) => ({ address, abi: uniswapV2Abi, functionName: 'getReserves' }) as const),
    ...multicallOptions,
    ...at,
  })
  return known.map((pool, i) => {
    const [reserve0, reserve1] = reserves[i] ?? [0n, 0n]
    return { ...pool, reserve0, reserve1 }
  })
}
