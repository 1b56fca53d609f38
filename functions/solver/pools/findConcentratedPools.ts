import { type Address, ContractFunctionExecutionError, zeroAddress } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { maxTick } from './computeSqrtPrice.ts'
import { multicallBytes } from './multicallBytes.ts'
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
const wordTicks = 256
/** minimum number of ticks read on either side of the price: 28 % */
const readTicks = 2_500
/** maximum number of initialised ticks kept on either side */
const maxTicks = 100

type KnownPool = Pick<ConcentratedPool, 'kind' | 'address' | 'token0' | 'token1' | 'fee' | 'tickSpacing'>
type PricedPool = Omit<ConcentratedPool, 'ticks' | 'lowestTick' | 'highestTick'>
type BoundedPool = PricedPool & { indexes: number[]; lowestTick: number; highestTick: number }

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

const findKnownPools = async (
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
    allowFailure: true,
    batchSize: multicallBytes,
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

const findPrices = async (client: ChainClient, pools: readonly KnownPool[], at: ReadAt): Promise<PricedPool[]> => {
  const [prices, liquidities] = await Promise.all([
    client.multicall({
      contracts: pools.map(({ address }) => ({ address, abi: uniswapV3Abi, functionName: 'slot0' }) as const),
      allowFailure: false,
      batchSize: multicallBytes,
      ...at,
    }),
    client.multicall({
      contracts: pools.map(({ address }) => ({ address, abi: uniswapV3Abi, functionName: 'liquidity' }) as const),
      allowFailure: false,
      batchSize: multicallBytes,
      ...at,
    }),
  ])
  return pools.flatMap((pool, i) => {
    const [sqrtPrice = 0n, tick = 0] = prices[i] ?? []
    const liquidity = liquidities[i] ?? 0n
    return sqrtPrice > 0n && liquidity > 0n ? [{ ...pool, sqrtPrice, tick, liquidity }] : []
  })
}

const findInitialisedTicks = async (
  client: ChainClient,
  pools: readonly PricedPool[],
  at: ReadAt,
): Promise<BoundedPool[]> => {
  const words = pools.flatMap((pool) => listWords(pool).map((word) => ({ pool, word })))
  const bitmaps = await client.multicall({
    contracts: words.map(({ pool: { address }, word }) => {
      const args = [word] as const
      return { address, abi: uniswapV3Abi, functionName: 'tickBitmap', args } as const
    }),
    allowFailure: false,
    batchSize: multicallBytes,
    ...at,
  })
  const indexes = new Map<Address, number[]>()
  for (const [i, { pool, word }] of words.entries()) {
    const found = indexes.get(pool.address) ?? []
    indexes.set(pool.address, found.concat(listBits(bitmaps[i] ?? 0n).map((bit) => word * wordTicks + bit)))
  }
  return pools.map((pool) => boundPool(pool, indexes.get(pool.address) ?? []))
}

const listWords = ({ tick, tickSpacing }: PricedPool): number[] => {
  const middle = Math.floor(tick / tickSpacing / wordTicks)
  const reach = Math.ceil(readTicks / (tickSpacing * wordTicks))
  return Array.from({ length: 2 * reach + 1 }, (_, i) => middle - reach + i)
}

const listBits = (bitmap: bigint): number[] => {
  const bits: number[] = []
  for (let bit = 0; bitmap >> BigInt(bit) > 0n; bit += 1) if ((bitmap >> BigInt(bit)) & 1n) bits.push(bit)
  return bits
}

/** Keeps the nearest initialised ticks; the pool is unknown beyond them. */
const boundPool = (pool: PricedPool, indexes: number[]): BoundedPool => {
  const { tick, tickSpacing } = pool
  const words = listWords(pool)
  const ticks = indexes.map((index) => index * tickSpacing).sort((a, b) => a - b)
  const below = ticks.filter((index) => index <= tick).slice(-maxTicks)
  const above = ticks.filter((index) => index > tick).slice(0, maxTicks)
  const first = (words[0] ?? 0) * wordTicks * tickSpacing
  const last = (((words.at(-1) ?? 0) + 1) * wordTicks - 1) * tickSpacing
  return {
    ...pool,
    indexes: [...below, ...above],
    lowestTick: Math.max(-maxTick, below.length === maxTicks ? (below[0] ?? first) : first),
    highestTick: Math.min(maxTick, above.length === maxTicks ? (above.at(-1) ?? last) : last),
  }
}

const findTicks = async (
  client: ChainClient,
  pools: readonly BoundedPool[],
  at: ReadAt,
): Promise<ConcentratedPool[]> => {
  const wanted = pools.flatMap(({ address, indexes }) => indexes.map((tick) => ({ address, tick })))
  const answers = await client.multicall({
    contracts: wanted.map(({ address, tick }) => {
      const args = [tick] as const
      return { address, abi: uniswapV3Abi, functionName: 'ticks', args } as const
    }),
    allowFailure: false,
    batchSize: multicallBytes,
    ...at,
  })
  const liquidityNets = answers.map((answer) => answer[1])
  let offset = 0
  return pools.map(({ indexes, ...pool }) => {
    const ticks = new Map(indexes.map((tick, i) => [tick, liquidityNets[offset + i] ?? 0n]))
    offset += indexes.length
    return { ...pool, ticks }
  })
}
