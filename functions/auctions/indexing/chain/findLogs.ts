import { formatTransactionReceipt, type Hex, type TransactionReceipt } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { ChainBlock } from '../../chain/findBlock.ts'
import { readBloom } from './bloom.ts'
import {
  checkBlockLogs,
  createBloomTest,
  type MayHaveLogs,
  type RawReceipt,
  type ReceiptsAbility,
} from './checkBlockLogs.ts'
import { type BlockRange, checkLogs, type LogFilter, type MinedLog } from './checkLogs.ts'

/** Requests to the node at the same time. */
export const concurrentCalls = 6

/**
 * Finds all logs of a range of blocks, in order, with one request per `span` blocks. For a range, a node that lacks its
 * last blocks returns an empty list for them instead of an error, and one that shows a log of a block may leave out the
 * others. So each of `blocks` whose bloom filter may have a log is confirmed (`checkBlockLogs`).
 * @param range inclusive
 * @param blocks headers of the last blocks of the range, at most `storedBlocks`
 * @param ability detected from the responses of the node
 * @returns logs, and receipts of their transactions by hash, as far as the confirmation read them
 * @throws NodeError when a log belongs to another chain or contract, MissingLogsError when logs are missing; viem errors
 *   when the node fails
 */
export const findLogs = async (
  chain: ChainClient,
  filter: LogFilter,
  range: BlockRange,
  blocks: readonly ChainBlock[],
  { span, ability }: { span: number; ability: ReceiptsAbility },
): Promise<{ logs: MinedLog[]; receipts: Map<Hex, TransactionReceipt> }> => {
  const { addresses, events } = filter
  const ranges = await mapBounded(splitRange(range, span), concurrentCalls, ({ fromBlock, toBlock }) =>
    chain.getLogs({ address: [...addresses], events, fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) }),
  )
  const logs = ranges.flat()
  checkLogs(logs, filter, range, blocks)
  const found = Map.groupBy(logs, ({ blockHash }) => blockHash)
  const mayHaveLogs = createBloomTest(filter)
  const suspicious = blocks.filter(({ logsBloom }) => isSuspicious(logsBloom, mayHaveLogs))
  const receipts = await mapBounded(suspicious, concurrentCalls, (block) =>
    checkBlockLogs(chain, { filter, mayHaveLogs, ability }, block, found.get(block.hash)?.length ?? 0),
  )
  return { logs, receipts: new Map(receipts.flat().map((receipt) => [receipt.transactionHash, toReceipt(receipt)])) }
}

const toReceipt = ({ logsBloom, ...receipt }: RawReceipt): TransactionReceipt =>
  formatTransactionReceipt({ ...receipt, logsBloom: logsBloom ?? '0x' })

const splitRange = ({ fromBlock, toBlock }: BlockRange, span: number): BlockRange[] =>
  Array.from({ length: Math.ceil((toBlock - fromBlock + 1) / span) }, (_, i) => {
    const first = fromBlock + i * span
    return { fromBlock: first, toBlock: Math.min(first + span - 1, toBlock) }
  })

/** A header without a filter may have any log; one of an unknown size has none. */
const isSuspicious = (text: Hex, mayHaveLogs: MayHaveLogs): boolean => {
  const bloom = readBloom(text)
  return bloom === undefined ? text === '0x' : mayHaveLogs(bloom)
}
