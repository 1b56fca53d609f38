import { type Address, BaseError, type Hex, toEventSelector } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { RateLimitError } from '#shared/chain/RateLimitError.ts'
import type { ChainBlock } from '../../chain/findBlock.ts'
import { MissingLogsError, NodeError } from '../../chain/NodeError.ts'
import { bloomMayHave, computeBloom, covers, readBloom } from './bloom.ts'
import { isOneOf, type LogFilter } from './checkLogs.ts'

/** Consecutive refusals of `eth_getBlockReceipts`; after `maxRefusals` it is not requested again. */
export type ReceiptsAbility = { refusals: number }

const maxRefusals = 3

/**
 * Whether a filter may contain a log of the contracts and events. False is certain; the filters of full blocks are often
 * wrong.
 */
export const mayHaveLogs = (bloom: bigint, { addresses, events }: LogFilter): boolean =>
  addresses.some((address) => bloomMayHave(bloom, address)) &&
  events.some((event) => bloomMayHave(bloom, toEventSelector(event)))

/**
 * Checks that a block without a found log has none. The filters of its receipts decide (`checkReceipts`), because a node
 * that leaves logs out of one response may leave them out of all. A node that refuses receipts is believed about the logs
 * of the block's hash; `createComparison` detects what it leaves out.
 * @throws MissingLogsError when logs are missing
 */
export const checkSilent = async (
  chain: ChainClient,
  filter: LogFilter,
  block: ChainBlock,
  ability: ReceiptsAbility,
): Promise<void> => {
  const receipts = await findReceipts(chain, block, ability)
  if (receipts) checkReceipts(receipts, filter, block)
  else if (!(await hasNoLogsByHash(chain, filter, block))) throw new MissingLogsError(describeMissing(block))
}

type Receipt = { logsBloom?: Hex | null; logs: { address: Address; topics: Hex[] }[] }

/**
 * Checks the receipts of a block for logs of the contracts and events, and that none is left out:
 * - together, the receipts' filters cover that of the block,
 * - the logs of each receipt whose filter may have such a log cover its filter.
 * @throws MissingLogsError
 */
const checkReceipts = (receipts: readonly Receipt[], filter: LogFilter, block: ChainBlock): void => {
  const topics = new Set(filter.events.map((event) => toEventSelector(event)))
  const found = receipts.some(({ logs }) =>
    logs.some((log) => isOneOf(filter.addresses, log) && topics.has(log.topics[0] ?? '0x')),
  )
  if (found) throw new MissingLogsError(describeMissing(block))
  const blooms = receipts.map(({ logsBloom, logs }) => readBloom(logsBloom) ?? computeBloom(logs))
  const isWhole =
    covers(
      blooms.reduce((all, bloom) => all | bloom, 0n),
      readBloom(block.logsBloom) ?? 0n,
    ) &&
    receipts.every(({ logs }, i) => {
      const bloom = blooms[i] ?? 0n
      return !mayHaveLogs(bloom, filter) || covers(computeBloom(logs), bloom)
    })
  if (!isWhole) throw new MissingLogsError(`the receipts of block ${block.number} contradict its logsBloom`)
}

/**
 * Reads the receipts of a block. The method is optional, and nodes refuse it in many ways: unknown method, another plan,
 * HTTP 403, a response above the size limit. A refusal never stops the clock.
 * @returns undefined when the node refuses
 */
const findReceipts = async (
  chain: ChainClient,
  { number, hash }: ChainBlock,
  ability: ReceiptsAbility,
): Promise<Receipt[] | undefined> => {
  if (ability.refusals >= maxRefusals) return undefined
  const call = { method: 'eth_getBlockReceipts', params: [hash] } as never
  const receipts: unknown = await chain.request(call).catch((error: unknown) => {
    if (error instanceof BaseError && error.walk((cause) => cause instanceof RateLimitError)) throw error
    ability.refusals += 1
  })
  if (receipts === undefined) return undefined
  ability.refusals = 0
  if (!Array.isArray(receipts)) throw new NodeError(`receipts of block ${number} are missing`)
  return receipts
}

const hasNoLogsByHash = async (
  chain: ChainClient,
  { addresses, events }: LogFilter,
  { hash }: ChainBlock,
): Promise<boolean> => (await chain.getLogs({ address: [...addresses], events, blockHash: hash })).length === 0

const describeMissing = ({ number }: ChainBlock): string => `logs of block ${number} are missing`
