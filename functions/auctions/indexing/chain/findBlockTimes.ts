import type { ChainClient } from '#shared/chain/connectChain.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { findBlock } from '../../chain/findBlock.ts'

const concurrentCalls = 6

/**
 * Finds timestamps of blocks; only unknown ones are requested from the node.
 * @returns a function that throws for any other block
 */
export const findBlockTimes = async (
  chain: ChainClient,
  numbers: readonly number[],
  known: readonly { number: number; timestamp: Date }[],
): Promise<(number: number) => Date> => {
  const times = new Map(known.map(({ number, timestamp }) => [number, timestamp]))
  const missing = [...new Set(numbers)].filter((number) => !times.has(number))
  const found = await mapBounded(missing, concurrentCalls, (number) => findBlock(chain, number))
  for (const { number, timestamp } of found) times.set(number, timestamp)
  return (number) => {
    const time = times.get(number)
    if (!time) throw new Error(`block ${number} has no time`)
    return time
  }
}
