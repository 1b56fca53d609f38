import type { Address } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { createGate } from '#shared/createGate.ts'
import { DriverError } from '../DriverError.ts'
import { createBlockMemory } from './createBlockMemory.ts'
import { findPools } from './findPools.ts'
import { type Pools, toPairKey } from './pool.ts'

/** Quotes of one isolate that read pools at once; the others find the pools that these have read. */
const running = 4
const waiting = 1_024
/** Deadlines are shorter, milliseconds. */
const maxWaitMs = 20_000
/** No quote reads pools for so long, milliseconds. */
const leaseMs = 15_000

export type QuoteMarket = {
  pools: Pools
  /** wei per gas unit */
  gasPrice: bigint
}

/**
 * Pools along the paths and the gas price, of the newest block. One call of the node while they are known.
 * @throws DriverError `Unavailable` when other quotes read pools up to the deadline; viem errors when the node fails
 */
export type FindQuoteMarket = (
  client: ChainClient,
  factories: Parameters<typeof findPools>[1],
  paths: readonly Address[][],
  timeLeftMs: number,
) => Promise<QuoteMarket>

/** Shares what quotes read of a block among all of them, and bounds how many read at once. */
export const createQuoteMarket = (): FindQuoteMarket => {
  const memory = createBlockMemory()
  const gate = createGate({
    running,
    waiting,
    waitMs: maxWaitMs,
    leaseMs,
    now: Date.now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    refuse: () => new DriverError('Unavailable', 'too many quotes at once'),
  })
  return async (client, factories, paths, timeLeftMs) => {
    const facts = memory.recall(await client.getBlockNumber())
    const { gasPrice } = facts
    const isKnown = paths.every((path) => path.every((token, i) => i === 0 || facts.pools.has(toKey(path, i, token))))
    if (isKnown && gasPrice !== undefined) return { pools: facts.pools, gasPrice }
    const read = async () => {
      const [pools, newGasPrice] = await Promise.all([
        findPools(client, factories, paths, facts.pools),
        facts.gasPrice ?? client.getGasPrice(),
      ])
      facts.gasPrice = newGasPrice
      return { pools, gasPrice: newGasPrice }
    }
    return gate.pass('orderBook', read, timeLeftMs)
  }
}

const toKey = (path: readonly Address[], i: number, token: Address): string => toPairKey(path[i - 1] ?? token, token)
