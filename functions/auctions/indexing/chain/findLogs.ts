import type { Hex } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { ChainBlock } from '../../chain/findBlock.ts'
import { readBloom } from './bloom.ts'
import { type BlockRange, checkLogs, type LogFilter, type MinedLog } from './checkLogs.ts'
import { checkSilent, mayHaveLogs, type ReceiptsAbility } from './checkSilent.ts'

/** Requests to the node at the same time. */
export const concurrentCalls = 6

/**
 * Finds all logs of a range of blocks, in order, with one request per `span` blocks. For a range, a node that lacks its
 * last blocks returns an empty list for them instead of an error. So each of `blocks` without a log whose bloom filter
 * may have one is confirmed (`checkSilent`).
 * @param range inclusive
 * @param blocks headers of the last blocks of the range, at most `storedBlocks`
 * @param ability detected from the responses of the node
 * @throws NodeError when a log belongs to another chain or contract, MissingLogsError when logs are missing; viem errors
 *   when the node fails
 */
export const findLogs = async (
  chain: ChainClient,
  filter: LogFilter,
  range: BlockRange,
  blocks: readonly ChainBlock[],
  { span, ability }: { span: number; ability: ReceiptsAbility },
): Promise<MinedLog[]> => {
  const { addresses, events } = filter
  const found = await mapBounded(splitRange(range, span), concurrentCalls, ({ fromBlock, toBlock }) =>
    chain.getLogs({ address: [...addresses], events, fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) }),
  )
  const logs = found.flat()
  checkLogs(logs, filter, range, blocks)
  const seen = new Set(logs.map(({ blockHash }) => blockHash))
  const silent = blocks.filter(({ hash, logsBloom }) => !seen.has(hash) && isSuspicious(logsBloom, filter))
  await mapBounded(silent, concurrentCalls, (block) => checkSilent(chain, filter, block, ability))
  return logs
}

const splitRange = ({ fromBlock, toBlock }: BlockRange, span: number): BlockRange[] =>
  Array.from({ length: Math.ceil((toBlock - fromBlock + 1) / span) }, (_, i) => {
    const first = fromBlock + i * span
    return { fromBlock: first, toBlock: Math.min(first + span - 1, toBlock) }
  })

/** A header without a filter may have any log; one of an unknown size has none. */
const isSuspicious = (text: Hex, filter: LogFilter): boolean => {
  const bloom = readBloom(text)
  return bloom === undefined ? text === '0x' : mayHaveLogs(bloom, filter)
}
