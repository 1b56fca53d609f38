import { type Hex, toEventSelector } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { ChainBlock } from '../../chain/findBlock.ts'
import { bloomMayHave } from './bloomMayHave.ts'
import { type BlockRange, checkLogs, type LogFilter, type MinedLog } from './checkLogs.ts'
import { checkSilent, type ReceiptsAbility } from './checkSilent.ts'

/** Requests to the node at the same time. */
export const concurrentCalls = 6

/**
 * Finds all logs of a range of blocks, in order, with one request per `span` blocks. For a range, a node that lacks its
 * last blocks returns an empty list for them instead of an error. So each of `blocks` without a log whose bloom filter
 * may have one is confirmed: by its receipts, or by a request for the logs of its hash, which fails on a node without
 * the block.
 * @param range inclusive
 * @param blocks headers of the last blocks of the range, at most `storedBlocks`
 * @param ability detected from the responses of the node
 * @throws NodeError when a log belongs to another chain or contract, or when logs are missing; viem errors when the node
 *   fails
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
  const silent = blocks.filter(({ hash, logsBloom }) => !seen.has(hash) && mayHaveLogs(logsBloom, filter))
  await mapBounded(silent, concurrentCalls, (block) => checkSilent(chain, filter, block, ability))
  return logs
}

const splitRange = ({ fromBlock, toBlock }: BlockRange, span: number): BlockRange[] =>
  Array.from({ length: Math.ceil((toBlock - fromBlock + 1) / span) }, (_, i) => {
    const first = fromBlock + i * span
    return { fromBlock: first, toBlock: Math.min(first + span - 1, toBlock) }
  })

/** A header without a filter may have any log. */
const mayHaveLogs = (bloom: Hex, { addresses, events }: LogFilter): boolean =>
  bloom === '0x' ||
  (addresses.some((address) => bloomMayHave(bloom, address)) &&
    events.some((event) => bloomMayHave(bloom, toEventSelector(event))))
