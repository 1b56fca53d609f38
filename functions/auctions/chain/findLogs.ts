import {
  type AbiEvent,
  type Address,
  type Hex,
  type Log,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  toEventSelector,
} from 'viem'
import { keptBlocks } from '#schema/queries/chain/blocks.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { bloomMayHave } from './bloomMayHave.ts'
import type { ChainBlock } from './findBlock.ts'
import { NodeError } from './NodeError.ts'

/** Log filter: contracts in lower case, and events. */
export type LogFilter = { addresses: readonly Address[]; events: readonly AbiEvent[] }

/** A log of a mined block. */
export type MinedLog = Log<bigint, number, false>

const concurrentCalls = 6

/**
 * Finds all logs of a range of blocks, in order. The newest blocks, which a reorganisation may replace, are requested
 * individually by hash, because a node without the block then returns an error instead of an empty list; older blocks
 * are requested as a range.
 * @param range inclusive
 * @param blocks headers of the last blocks of the range, at most `keptBlocks`
 * @throws NodeError when a log belongs to another chain or contract, or when a block's bloom filter and receipts show
 *   that logs are missing; viem errors when the node fails
 */
export const findLogs = async (
  chain: ChainClient,
  filter: LogFilter,
  range: { fromBlock: number; toBlock: number },
  blocks: readonly ChainBlock[],
): Promise<MinedLog[]> => {
  const logs = await askLogs(chain, filter, range, blocks)
  checkLogs(logs, filter, range, blocks)
  const seen = new Set(logs.map(({ blockHash }) => blockHash))
  const silent = blocks.filter(({ hash, logsBloom }) => !seen.has(hash) && mayHaveLogs(logsBloom, filter))
  await mapBounded(silent, concurrentCalls, (block) => checkReceipts(chain, filter, block))
  return logs
}

const askLogs = async (
  chain: ChainClient,
  { addresses, events }: LogFilter,
  { fromBlock, toBlock }: { fromBlock: number; toBlock: number },
  blocks: readonly ChainBlock[],
): Promise<MinedLog[]> => {
  const address = [...addresses]
  if (toBlock - fromBlock >= keptBlocks) {
    return chain.getLogs({ address, events, fromBlock: BigInt(fromBlock), toBlock: BigInt(toBlock) })
  }
  const ofBlocks = await mapBounded(blocks, concurrentCalls, ({ hash }) =>
    chain.getLogs({ address, events, blockHash: hash }),
  )
  return ofBlocks.flat()
}

const checkLogs = (
  logs: readonly MinedLog[],
  { addresses }: LogFilter,
  { fromBlock, toBlock }: { fromBlock: number; toBlock: number },
  blocks: readonly ChainBlock[],
): void => {
  const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]))
  let previous: MinedLog | undefined
  for (const log of logs) {
    const number = Number(log.blockNumber)
    if (log.removed || number < fromBlock || number > toBlock) throw new NodeError(`log of block ${number} is foreign`)
    if ((hashes.get(number) ?? log.blockHash) !== log.blockHash) throw new NodeError(`block ${number} moved`)
    if (!isOneOf(addresses, log)) throw new NodeError(`log of ${log.address}, asked for ${addresses}`)
    if (previous && !isAfter(log, previous)) throw new NodeError(`logs of block ${number} are out of order`)
    previous = log
  }
}

const isOneOf = (addresses: readonly Address[], log: { address: Address }): boolean =>
  addresses.includes(log.address.toLowerCase() as Address)

const isAfter = (log: MinedLog, previous: MinedLog): boolean =>
  log.blockNumber > previous.blockNumber ||
  (log.blockNumber === previous.blockNumber && log.logIndex > previous.logIndex)

const mayHaveLogs = (bloom: Hex, { addresses, events }: LogFilter): boolean =>
  addresses.some((address) => bloomMayHave(bloom, address)) &&
  events.some((event) => bloomMayHave(bloom, toEventSelector(event)))

/**
 * Confirms missing logs by the receipts, because the bloom filter of a full block often has false positives. Without
 * `eth_getBlockReceipts` the node is trusted.
 */
const checkReceipts = async (
  chain: ChainClient,
  { addresses, events }: LogFilter,
  block: ChainBlock,
): Promise<void> => {
  const receipts = await findReceipts(chain, block)
  const topics = new Set(events.map((event) => toEventSelector(event)))
  const missing = receipts.some(({ logs }) =>
    logs.some((log) => isOneOf(addresses, log) && topics.has(log.topics[0] ?? '0x')),
  )
  if (missing) throw new NodeError(`logs of block ${block.number} are missing`)
}

const findReceipts = async (
  chain: ChainClient,
  { number, hash }: ChainBlock,
): Promise<{ logs: { address: Address; topics: Hex[] }[] }[]> => {
  try {
    const receipts = await chain.request({ method: 'eth_getBlockReceipts', params: [hash] } as never)
    if (!Array.isArray(receipts)) throw new NodeError(`receipts of block ${number} are missing`)
    return receipts
  } catch (error) {
    if (error instanceof MethodNotFoundRpcError || error instanceof MethodNotSupportedRpcError) return []
    throw error
  }
}
