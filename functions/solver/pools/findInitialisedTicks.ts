import type { Address } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type BoundedPool, boundPool, listWords, type PricedPool } from './boundPool.ts'
import { multicallOptions } from './multicallOptions.ts'
import { wordTicks } from './pool.ts'
import type { ReadAt } from './readAt.ts'
import { uniswapV3Abi } from './uniswapV3Abi.ts'

/** Reads which ticks around the price of each pool are initialised. */
export const findInitialisedTicks = async (
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
    ...multicallOptions,
    ...at,
  })
  const indexes = new Map<Address, number[]>()
  for (const [i, { pool, word }] of words.entries()) {
    const found = indexes.get(pool.address) ?? []
    indexes.set(pool.address, found.concat(listBits(bitmaps[i] ?? 0n).map((bit) => word * wordTicks + bit)))
  }
  return pools.map((pool) => boundPool(pool, indexes.get(pool.address) ?? []))
}

const listBits = (bitmap: bigint): number[] => {
  const bits: number[] = []
  for (let bit = 0; bitmap >> BigInt(bit) > 0n; bit += 1) if ((bitmap >> BigInt(bit)) & 1n) bits.push(bit)
  return bits
}
