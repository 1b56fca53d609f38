import type { Address } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { createGate } from '#shared/createGate.ts'
import { DriverError } from '../DriverError.ts'
import type { BlockMemory } from './createBlockMemory.ts'
import { findPools } from './findPools.ts'
import { type Pools, toPairKey } from './pool.ts'

/** Quotes per isolate that read pools concurrently; the others wait and use the cached pools. */
const running = 4
const waiting = 1_024
/** Above every deadline, milliseconds. */
const maxWaitMs = 20_000
/** Above the time of any pool read, milliseconds. */
const leaseMs = 15_000

export type QuoteMarket = {
  pools: Pools
  /** wei per gas unit */
  gasPrice: bigint
}

/**
 * Finds pools along the paths and the gas price, of the newest block. One call to the node while they are cached.
 * @throws DriverError `Unavailable` when other quotes occupy all slots until the deadline; viem errors when the node
 *   fails
 */
export type FindQuoteMarket = (
  client: ChainClient,
  factories: Parameters<typeof findPools>[1],
  paths: readonly Address[][],
  timeLeftMs: number,
) => Promise<QuoteMarket>

/** Shares pools of a block among quotes, and bounds the number of concurrent reads. */
export const createQuoteMarket = (memory: BlockMemory): FindQuoteMarket => {
  const gate = createGate({
    running,
    waiting,
    waitMs: maxWaitMs,
    leaseMs,
    now: Date.now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    refuse: () => new DriverError('Unavailable', 'too many concurrent quotes'),
  })
  return async (client, factories, paths, timeLeftMs) => {
    const block = await client.getBlock()
    const facts = memory.recall(block)
    const { gasPrice } = facts
    const isKnown = paths.every((path) => path.every((token, i) => i === 0 || facts.pools.has(toKey(path, i, token))))
    if (isKnown && gasPrice !== undefined) return { pools: facts.pools, gasPrice }
    const read = async () => {
      const [pools, newGasPrice] = await Promise.all([
        findPools(client, factories, paths, { blockNumber: block.number }, facts.pools),
        facts.gasPrice ?? client.getGasPrice(),
      ])
      facts.gasPrice = newGasPrice
      return { pools, gasPrice: newGasPrice }
    }
    return gate.pass('orderBook', read, timeLeftMs)
  }
}

const toKey = (path: readonly Address[], i: number, token: Address): string => toPairKey(path[i - 1] ?? token, token)
