import { type Address, parseEventLogs } from 'viem'
import { type IndexedBlock, storedBlocks } from '#schema/queries/chain/blocks.ts'
import type { ChainEvents } from '#schema/queries/chain/chainUpdate.ts'
import type { ConditionalEvents } from '#schema/queries/strategies/insertConditionalEvents.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { noContract } from '#shared/networks/noContract.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { type ChainBlock, findBlock } from '../chain/findBlock.ts'
import { MissingLogsError, NodeError } from '../chain/NodeError.ts'
import { toLowerAddress } from '../chain/toLowerAddress.ts'
import type { ReceiptsAbility } from './chain/checkBlockLogs.ts'
import type { FindHeader } from './chain/createHeaderFinder.ts'
import { concurrentCalls, findLogs } from './chain/findLogs.ts'
import { checkComplete, findTransactions, type SettlementTransaction, settlementEvents } from './findTransactions.ts'
import type { IndexedContracts } from './indexedContracts.ts'
import { onchainOrdersAbi } from './placements/onchainOrdersAbi.ts'
import { type RawOnchainEvents, readOnchainEvents } from './placements/readOnchainEvents.ts'
import { readConditionalEvents } from './strategies/readConditionalEvents.ts'

/** Events in a range of blocks, before attribution. */
export type RawChainEvents = {
  /** the last blocks of the range, at most `storedBlocks` */
  blocks: IndexedBlock[]
  settlements: { blockNumber: number; logIndex: number; solver: Address; transaction: SettlementTransaction }[]
  trades: ChainEvents['trades']
  invalidations: ChainEvents['invalidations']
  presignatures: ChainEvents['presignatures']
  /** of the contracts that place on-chain orders */
  onchain: RawOnchainEvents
  conditional: ConditionalEvents
}

const onchainEvents = onchainOrdersAbi.filter((item) => item.type === 'event')
const conditionalEvents = composableCowAbi.filter((item) => item.type === 'event')

/**
 * Reads the events from `fromBlock` to `toBlock`, of the settlement contract and of contracts that place orders. The
 * range must be one unbroken part of the chain on top of `parent` during all calls: a node that switches chains in
 * between causes an error, never mixed results.
 * @param node `span`: blocks per request of logs; `ability`: detected from its responses
 * @throws NodeError when the chain changed in between or the node's responses are inconsistent, MissingLogsError when it
 *   leaves logs out; viem errors when it fails
 */
export const findChainEvents = async (
  chain: ChainClient,
  contracts: IndexedContracts,
  range: { fromBlock: number; toBlock: number; parent: IndexedBlock | undefined },
  node: { findHeader: FindHeader; span: number; ability: ReceiptsAbility },
): Promise<RawChainEvents> => {
  const { fromBlock, toBlock, parent } = range
  const first = Math.max(fromBlock, toBlock - storedBlocks + 1)
  const numbers = Array.from({ length: toBlock - first + 1 }, (_, i) => first + i)
  const blocks = await mapBounded(numbers, concurrentCalls, node.findHeader)
  checkUnbroken(blocks, parent)
  const found = await findEvents(chain, contracts, range, blocks, node)
  const after = await findBlock(chain, toBlock)
  if (after.hash !== blocks.at(-1)?.hash) throw new NodeError(`block ${toBlock} moved`)
  return found
}

const findEvents = async (
  chain: ChainClient,
  contracts: IndexedContracts,
  range: { fromBlock: number; toBlock: number },
  blocks: readonly ChainBlock[],
  node: { span: number; ability: ReceiptsAbility },
): Promise<RawChainEvents> => {
  const { settlementContract, composableCow, onchainOrderContracts } = contracts
  const registries = composableCow === noContract ? [] : [composableCow]
  const filter = {
    addresses: [settlementContract, ...registries, ...onchainOrderContracts],
    events: [...settlementEvents, ...(registries.length > 0 ? conditionalEvents : []), ...onchainEvents],
  }
  const { logs: all, receipts } = await findLogs(chain, filter, range, blocks, node)
  const mined = all.filter(({ address }) => toLowerAddress(address) === settlementContract)
  const logs = parseEventLogs({ abi: settlementEvents, logs: mined, strict: true })
  if (logs.length < mined.length) throw new NodeError('a log of the settlement contract is malformed')
  const found: RawChainEvents = {
    blocks: blocks.map(({ number, hash, timestamp }) => ({ number, hash, timestamp })),
    settlements: [],
    trades: [],
    invalidations: [],
    presignatures: [],
    onchain: readOnchainEvents(
      all.filter(({ address }) => ![settlementContract, ...registries].includes(toLowerAddress(address))),
      contracts,
    ),
    conditional: readConditionalEvents(all.filter(({ address }) => registries.includes(toLowerAddress(address)))),
  }
  const settleHashes = new Set(logs.flatMap((log) => (log.eventName === 'Settlement' ? [log.transactionHash] : [])))
  const transactions = await findTransactions(chain, [...settleHashes], receipts)
  for (const transaction of transactions.values()) checkComplete(transaction, settlementContract, mined)
  const settlementLogs = logs.filter(({ eventName }) => eventName === 'Settlement')
  for (const log of logs) {
    const place = { blockNumber: Number(log.blockNumber), logIndex: log.logIndex }
    if (log.eventName === 'Settlement') {
      const transaction = transactions.get(log.transactionHash)
      if (!transaction) throw new NodeError(`transaction ${log.transactionHash} is missing`)
      found.settlements.push({ ...place, solver: toLowerAddress(log.args.solver), transaction })
    } else if (log.eventName === 'Trade') {
      const settlement = settlementLogs.find(
        (other) => other.transactionHash === log.transactionHash && other.logIndex > log.logIndex,
      )
      if (!settlement) throw new MissingLogsError(`the settlement of trade ${log.transactionHash} is missing`)
      found.trades.push({
        ...place,
        transactionHash: log.transactionHash,
        orderUid: log.args.orderUid,
        owner: toLowerAddress(log.args.owner),
        sellToken: toLowerAddress(log.args.sellToken),
        buyToken: toLowerAddress(log.args.buyToken),
        sellAmount: log.args.sellAmount,
        buyAmount: log.args.buyAmount,
        feeAmount: log.args.feeAmount,
        settlementLogIndex: settlement.logIndex,
      })
    } else if (log.eventName === 'OrderInvalidated') {
      const { transactionHash, args } = log
      found.invalidations.push({
        ...place,
        owner: toLowerAddress(args.owner),
        orderUid: args.orderUid,
        transactionHash,
      })
    } else {
      const { owner, orderUid, signed } = log.args
      found.presignatures.push({ ...place, owner: toLowerAddress(owner), orderUid, signed })
    }
  }
  return found
}

const checkUnbroken = (blocks: readonly ChainBlock[], parent: IndexedBlock | undefined): void => {
  let previous = parent
  for (const block of blocks) {
    if (previous?.number === block.number - 1 && block.parentHash !== previous.hash) {
      throw new NodeError(`block ${previous.number} moved`)
    }
    previous = block
  }
}
