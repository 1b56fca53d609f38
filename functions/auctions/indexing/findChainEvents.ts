import { type Address, type Hex, parseEventLogs, type TransactionReceipt, toEventSelector } from 'viem'
import { type IndexedBlock, keptBlocks } from '#schema/queries/chain/blocks.ts'
import type { ChainEvents } from '#schema/queries/chain/chainEvents.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { FindHeader } from '../chain/createHeaderFinder.ts'
import { type ChainBlock, findBlock } from '../chain/findBlock.ts'
import { findLogs, type MinedLog, type ReceiptsAbility } from '../chain/findLogs.ts'
import { NodeError } from '../chain/NodeError.ts'
import { onchainOrdersAbi } from '../placements/onchainOrdersAbi.ts'
import { type RawOnchainEvents, readOnchainEvents } from '../placements/readOnchainEvents.ts'
import type { IndexedContracts } from './indexedContracts.ts'

/** A transaction with a `Settlement` event. */
export type SettlementTransaction = {
  hash: Hex
  /** null: contract creation */
  to: Address | null
  input: Hex
  gasUsed: bigint
  /** wei per gas unit */
  effectiveGasPrice: bigint
}

/** Events in a range of blocks, before attribution. */
export type RawChainEvents = {
  /** the last blocks of the range, at most `keptBlocks` */
  blocks: IndexedBlock[]
  settlements: { blockNumber: number; logIndex: number; solver: Address; transaction: SettlementTransaction }[]
  trades: ChainEvents['trades']
  invalidations: ChainEvents['invalidations']
  presignatures: ChainEvents['presignatures']
  /** of the contracts that place on-chain orders */
  onchain: RawOnchainEvents
}

const events = settlementAbi.filter((item) => item.type === 'event' && item.name !== 'Interaction')
const onchainEvents = onchainOrdersAbi.filter((item) => item.type === 'event')
const concurrentCalls = 6

/**
 * Reads the events from `fromBlock` to `toBlock`, of the settlement contract and of contracts that place orders. The
 * range must be one unbroken part of the chain on top of `parent` during all calls: a node that switches chains in
 * between causes an error, never mixed results.
 * @param node `span`: blocks per request of logs; `ability`: learnt from its responses
 * @throws NodeError when the chain changed in between or the node's responses are inconsistent; viem errors when it
 *   fails
 */
export const findChainEvents = async (
  chain: ChainClient,
  contracts: IndexedContracts,
  range: { fromBlock: number; toBlock: number; parent: IndexedBlock | undefined },
  node: { findHeader: FindHeader; span: number; ability: ReceiptsAbility },
): Promise<RawChainEvents> => {
  const { fromBlock, toBlock, parent } = range
  const blocks = await findBlocks(node.findHeader, Math.max(fromBlock, toBlock - keptBlocks + 1), toBlock)
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
  const { settlementContract, onchainOrderContracts } = contracts
  const filter = {
    addresses: [settlementContract, ...onchainOrderContracts],
    events: [...events, ...onchainEvents],
  }
  const all = await findLogs(chain, filter, range, blocks, node)
  const mined = all.filter(({ address }) => lower(address) === settlementContract)
  const logs = parseEventLogs({ abi: events, logs: mined, strict: true })
  if (logs.length < mined.length) throw new NodeError('a log of the settlement contract is malformed')
  const found: RawChainEvents = {
    blocks: blocks.map(({ number, hash, timestamp }) => ({ number, hash, timestamp })),
    settlements: [],
    trades: [],
    invalidations: [],
    presignatures: [],
    onchain: readOnchainEvents(
      all.filter(({ address }) => lower(address) !== settlementContract),
      contracts,
    ),
  }
  const settleHashes = new Set(logs.flatMap((log) => (log.eventName === 'Settlement' ? [log.transactionHash] : [])))
  const transactions = await findTransactions(chain, [...settleHashes])
  for (const transaction of transactions.values()) checkComplete(transaction, settlementContract, mined)
  const settlementLogs = logs.filter(({ eventName }) => eventName === 'Settlement')
  for (const log of logs) {
    const place = { blockNumber: Number(log.blockNumber), logIndex: log.logIndex }
    if (log.eventName === 'Settlement') {
      const transaction = transactions.get(log.transactionHash)
      if (!transaction) throw new NodeError(`transaction ${log.transactionHash} is missing`)
      found.settlements.push({ ...place, solver: lower(log.args.solver), transaction })
    } else if (log.eventName === 'Trade') {
      const settlement = settlementLogs.find(
        (other) => other.transactionHash === log.transactionHash && other.logIndex > log.logIndex,
      )
      if (!settlement) throw new NodeError(`the settlement of trade ${log.transactionHash} is missing`)
      found.trades.push({
        ...place,
        transactionHash: log.transactionHash,
        orderUid: log.args.orderUid,
        owner: lower(log.args.owner),
        sellToken: lower(log.args.sellToken),
        buyToken: lower(log.args.buyToken),
        sellAmount: log.args.sellAmount,
        buyAmount: log.args.buyAmount,
        feeAmount: log.args.feeAmount,
        settlementLogIndex: settlement.logIndex,
      })
    } else if (log.eventName === 'OrderInvalidated') {
      const { transactionHash, args } = log
      found.invalidations.push({ ...place, owner: lower(args.owner), orderUid: args.orderUid, transactionHash })
    } else {
      const { owner, orderUid, signed } = log.args
      found.presignatures.push({ ...place, owner: lower(owner), orderUid, signed })
    }
  }
  return found
}

const findBlocks = (findHeader: FindHeader, from: number, to: number): Promise<ChainBlock[]> => {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  return mapBounded(numbers, concurrentCalls, findHeader)
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

const findTransactions = async (chain: ChainClient, hashes: readonly Hex[]) => {
  const found = await mapBounded(hashes, concurrentCalls, async (hash) => {
    const [transaction, receipt] = await Promise.all([
      chain.getTransaction({ hash }),
      chain.getTransactionReceipt({ hash }),
    ])
    if (transaction.blockHash !== receipt.blockHash) throw new NodeError(`transaction ${hash} moved`)
    const { gasUsed, effectiveGasPrice } = receipt
    const to = transaction.to === null ? null : lower(transaction.to)
    return { hash, to, input: transaction.input, gasUsed, effectiveGasPrice, receipt }
  })
  return new Map(found.map((transaction) => [transaction.hash, transaction]))
}

const topics: ReadonlySet<Hex | undefined> = new Set(events.map((event) => toEventSelector(event)))

/** Checks that a transaction's receipt contains exactly the logs found for it. */
const checkComplete = (
  { hash, receipt }: { hash: Hex; receipt: TransactionReceipt },
  settlementContract: Address,
  mined: readonly MinedLog[],
): void => {
  const expected = receipt.logs.filter((log) => lower(log.address) === settlementContract && topics.has(log.topics[0]))
  const found = mined.filter(({ transactionHash }) => transactionHash === hash)
  const isSame =
    expected.length === found.length &&
    found.every(({ blockHash, logIndex }, i) => {
      const other = expected[i]
      return other?.blockHash === blockHash && other.logIndex === logIndex
    })
  if (!isSame) throw new NodeError(`the receipt of transaction ${hash} has other logs`)
}

const lower = (address: Address): Address => address.toLowerCase() as Address
