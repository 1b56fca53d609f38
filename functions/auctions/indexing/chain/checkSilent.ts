import { type Address, BaseError, type Hex, toEventSelector } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { RateLimitError } from '#shared/chain/RateLimitError.ts'
import type { ChainBlock } from '../../chain/findBlock.ts'
import { NodeError } from '../../chain/NodeError.ts'
import { isOneOf, type LogFilter } from './checkLogs.ts'

/** Consecutive refusals of `eth_getBlockReceipts`; after `maxRefusals` it is not requested again. */
export type ReceiptsAbility = { refusals: number }

const maxRefusals = 3

/**
 * Checks that a block without a found log has none; the bloom filter of a full block often has false positives.
 * @throws NodeError when logs are missing
 */
export const checkSilent = async (
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
  const call = { method: 'eth_getBlockReceipts', params: [hash] } as never
  const receipts: unknown = await chain.request(call).catch((error: unknown) => {
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

const hasNoLogsByHash = async (
  chain: ChainClient,
  { addresses, events }: LogFilter,
  { hash }: ChainBlock,
): Promise<boolean> => (await chain.getLogs({ address: [...addresses], events, blockHash: hash })).length === 0
