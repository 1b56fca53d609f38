import type { Address } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { BoundedPool, PricedPool } from './boundPool.ts'
import { findInitialisedTicks } from './findInitialisedTicks.ts'
import { findKnownPools, type KnownPool } from './findKnownPools.ts'
import { multicallOptions } from './multicallOptions.ts'
import type { ConcentratedPool } from './pool.ts'
import type { ReadAt } from './readAt.ts'
import { uniswapV3Abi } from './uniswapV3Abi.ts'

/**
 * Finds the Uniswap V3 pools of pairs with liquidity at the current price, with the ticks around it, in four steps of
 * one multicall each: addresses, prices, tick bitmaps, ticks. A pool that changes between two steps gives wrong
 * amounts, which the simulation of the settlement detects.
 * @param pairs tokens in the order of their addresses
 * @throws viem errors when the node fails
 */
export const findConcentratedPools = async (
  client: ChainClient,
  factory: Address,
  pairs: readonly [Address, Address][],
  at: ReadAt,
): Promise<ConcentratedPool[]> => {
  const known = await findKnownPools(client, factory, pairs, at)
  const priced = known.length > 0 ? await findPrices(client, known, at) : []
  const bounded = priced.length > 0 ? await findInitialisedTicks(client, priced, at) : []
  return bounded.length > 0 ? findTicks(client, bounded, at) : []
}

const findPrices = async (client: ChainClient, pools: readonly KnownPool[], at: ReadAt): Promise<PricedPool[]> => {
  const [prices, liquidities] = await Promise.all([
    client.multicall({
      contracts: pools.map(({ address }) => ({ address, abi: uniswapV3Abi, functionName: 'slot0' }) as const),
      ...multicallOptions,
      ...at,
    }),
    client.multicall({
      contracts: pools.map(({ address }) => ({ address, abi: uniswapV3Abi, functionName: 'liquidity' }) as const),
      ...multicallOptions,
      ...at,
    }),
  ])
  return pools.flatMap((pool, i) => {
    const [sqrtPrice = 0n, tick = 0] = prices[i] ?? []
    const liquidity = liquidities[i] ?? 0n
    return sqrtPrice > 0n && liquidity > 0n ? [{ ...pool, sqrtPrice, tick, liquidity }] : []
  })
}

const findTicks = async (
  client: ChainClient,
  pools: readonly BoundedPool[],
  at: ReadAt,
): Promise<ConcentratedPool[]> => {
  const wanted = pools.flatMap(({ address, indexes }) => indexes.map((tick) => ({ address, tick })))
  const results = await client.multicall({
    contracts: wanted.map(({ address, tick }) => {
      const args = [tick] as const
      return { address, abi: uniswapV3Abi, functionName: 'ticks', args } as const
    }),
    ...multicallOptions,
    ...at,
  })
  const liquidityNets = results.map((result) => result[1])
  let offset = 0
  return pools.map(({ indexes, ...pool }) => {
    const ticks = new Map(indexes.map((tick, i) => [tick, liquidityNets[offset + i] ?? 0n]))
    offset += indexes.length
    return { ...pool, ticks }
  })
}
