import { BaseError, type Hex, type RpcTransactionReceipt, toEventSelector } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { RateLimitError } from '#shared/chain/RateLimitError.ts'
import type { ChainBlock } from '../../chain/findBlock.ts'
import { MissingLogsError, NodeError } from '../../chain/NodeError.ts'
import { computeBloom, covers, readBloom, toBits } from './bloom.ts'
import { isOneOf, type LogFilter } from './checkLogs.ts'

/** Consecutive refusals of `eth_getBlockReceipts`; after `maxRefusals` it is not requested again. */
export type ReceiptsAbility = { refusals: number }

const maxRefusals = 3

/** Whether a block or receipt with this `logsBloom` may have a log of the contracts and events. */
export type MayHaveLogs = (bloom: bigint) => boolean

/**
 * Creates the test for the contracts and events of a filter. False is certain; full blocks are often wrong. The items are
 * hashed once, because a full block has hundreds of receipts.
 */
export const createBloomTest = ({ addresses, events }: LogFilter): MayHaveLogs => {
  const ofAddresses = addresses.map(toBits)
  const ofEvents = events.map((event) => toBits(toEventSelector(event)))
  return (bloom) => [ofAddresses, ofEvents].every((items) => items.some((bits) => covers(bloom, bits)))
}

/** A receipt as nodes return it; some have no filter. */
export type RawReceipt = Omit<RpcTransactionReceipt, 'logsBloom'> & { logsBloom?: Hex | null }

/**
 * Checks that a block has exactly the logs found, of which there may be none. The filters of its receipts decide
 * (`checkReceipts`), because a node that leaves logs out of one response may leave them out of all. A node that refuses
 * receipts is believed about the logs of the block's hash; `createComparison` detects fills that it leaves out.
 * @param found number of logs
 * @returns the receipts with logs of the filter, so that no other request reads them; empty when the node refuses receipts
 * @throws MissingLogsError when logs are missing
 */
export const checkBlockLogs = async (
  chain: ChainClient,
  { filter, mayHaveLogs, ability }: { filter: LogFilter; mayHaveLogs: MayHaveLogs; ability: ReceiptsAbility },
  block: ChainBlock,
  found: number,
): Promise<RawReceipt[]> => {
  const { addresses, events } = filter
  const topics = new Set(events.map((event) => toEventSelector(event)))
  const listOurs = ({ logs }: RawReceipt) =>
    logs.filter((log) => isOneOf(addresses, log) && topics.has(log.topics[0] ?? '0x'))
  const receipts = await findReceipts(chain, block, ability)
  const logs =
    receipts?.flatMap(listOurs) ?? (await chain.getLogs({ address: [...addresses], events, blockHash: block.hash }))
  if (logs.length !== found) throw new MissingLogsError(`logs of block ${block.number} are missing`)
  if (!receipts) return []
  checkReceipts(receipts, mayHaveLogs, block)
  return receipts.filter((receipt) => listOurs(receipt).length > 0)
}

/**
 * Checks that the receipts of a block leave out no log of the contracts and events:
 * - together, the receipts' filters cover that of the block,
 * - the logs of each receipt whose filter may have such a log cover its filter.
 * @throws MissingLogsError
 */
const checkReceipts = (receipts: readonly RawReceipt[], mayHaveLogs: MayHaveLogs, block: ChainBlock): void => {
  const blooms = receipts.map(({ logsBloom, logs }) => readBloom(logsBloom) ?? computeBloom(logs))
  const isWhole =
    covers(
      blooms.reduce((all, bloom) => all | bloom, 0n),
      readBloom(block.logsBloom) ?? 0n,
    ) &&
    receipts.every(({ logs }, i) => {
      const bloom = blooms[i] ?? 0n
      return !mayHaveLogs(bloom) || covers(computeBloom(logs), bloom)
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
): Promise<RawReceipt[] | undefined> => {
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
