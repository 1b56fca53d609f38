import { type AbiEvent, type Address, BaseError, type Hex, type Log, toEventSelector } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { RateLimitError } from '#shared/chain/RateLimitError.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { bloomMayHave } from './bloomMayHave.ts'
import type { ChainBlock } from './findBlock.ts'
import { NodeError } from './NodeError.ts'

/** Log filter: contracts in lower case, and events. */
export type LogFilter = { addresses: readonly Address[]; events: readonly AbiEvent[] }

/** Inclusive. */
type BlockRange = { fromBlock: number; toBlock: number }

/** A log of a mined block. */
export type MinedLog = Log<bigint, number, false>

/** Consecutive refusals of `eth_getBlockReceipts`; after `maxRefusals` it is not requested again. */
export type ReceiptsAbility = { refusals: number }

const maxRefusals = 3
const concurrentCalls = 6

/**
 * Finds all logs of a range of blocks, in order, with one request per `span` blocks. For a range, a node that lacks its
 * last blocks returns an empty list for them instead of an error. So each of `blocks` without a log whose bloom filter
 * may have one is confirmed: by its receipts, or by a request for the logs of its hash, which fails on a node without
 * the block.
 * @param range inclusive
 * @param blocks headers of the last blocks of the range, at most `keptBlocks`
 * @param ability learnt from the responses of the node
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

const checkLogs = (
  logs: readonly MinedLog[],
  { addresses }: LogFilter,
  { fromBlock, toBlock }: BlockRange,
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

/** A header without a filter may have any log. */
const mayHaveLogs = (bloom: Hex, { addresses, events }: LogFilter): boolean =>
  bloom === '0x' ||
  (addresses.some((address) => bloomMayHave(bloom, address)) &&
    events.some((event) => bloomMayHave(bloom, toEventSelector(event))))

/** The bloom filter of a full block often has false positives. */
const checkSilent = async (
  chain: ChainClient,
  filter: LogFilter,
  block: ChainBlock,
  ability: ReceiptsAbility,
): Promise<void> => {
  const isSilent = (await hasNoLogs(chain, filter, block, ability)) ?? (await hasNoLogsByHash(chain, filter, block))
  if (!isSilent) throw new NodeError(`logs of block ${block.number} are missing`)
}

/**
 * Reads the receipts of a block. The method is optional, and nodes refuse it in many ways: unknown method, another plan,
 * HTTP 403, a response above the size limit. A refusal never stops the clock.
 * @returns undefined when the node refuses
 */
const hasNoLogs = async (
  chain: ChainClient,
  { addresses, events }: LogFilter,
  { number, hash }: ChainBlock,
  ability: ReceiptsAbility,
): Promise<boolean | undefined> => {
  if (ability.refusals >= maxRefusals) return undefined
  const receipts = await requestReceipts(chain, hash).catch((error: unknown) => {
    if (error instanceof BaseError && error.walk((cause) => cause instanceof RateLimitError)) throw error
    ability.refusals += 1
  })
  if (receipts === undefined) return undefined
  ability.refusals = 0
  if (!Array.isArray(receipts)) throw new NodeError(`receipts of block ${number} are missing`)
  const topics = new Set(events.map((event) => toEventSelector(event)))
  return receipts.every(({ logs }: { logs: { address: Address; topics: Hex[] }[] }) =>
    logs.every((log) => !isOneOf(addresses, log) || !topics.has(log.topics[0] ?? '0x')),
  )
}

const requestReceipts = (chain: ChainClient, hash: Hex): Promise<unknown> =>
  chain.request({ method: 'eth_getBlockReceipts', params: [hash] } as never)

const hasNoLogsByHash = async (
  chain: ChainClient,
  { addresses, events }: LogFilter,
  { hash }: ChainBlock,
): Promise<boolean> => (await chain.getLogs({ address: [...addresses], events, blockHash: hash })).length === 0
