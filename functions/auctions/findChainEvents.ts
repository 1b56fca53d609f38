import type { Address, Hex } from 'viem'
import { type IndexedBlock, keptBlocks } from '#schema/queries/blocks.ts'
import type { ChainEvents } from '#schema/queries/chainEvents.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { type ChainBlock, findBlock } from './findBlock.ts'
import { mapBounded } from './mapBounded.ts'

/** A `settle` transaction whose `Settlement` event was seen. */
export type SettlementTransaction = {
  hash: Hex
  input: Hex
  gasUsed: bigint
  /** wei per gas unit */
  effectiveGasPrice: bigint
}

/** The settlement contract's events in a range of blocks, before anything is known of whose they are. */
export type RawChainEvents = {
  /** the last of the range, `keptBlocks` at most */
  blocks: IndexedBlock[]
  settlements: { blockNumber: number; logIndex: number; solver: Address; transaction: SettlementTransaction }[]
  trades: ChainEvents['trades']
  invalidations: ChainEvents['invalidations']
  presignatures: ChainEvents['presignatures']
}

const events = settlementAbi.filter((item) => item.type === 'event' && item.name !== 'Interaction')
const concurrentCalls = 6

/**
 * Reads the settlement contract's events of `fromBlock` to `toBlock`. The range must be one unbroken piece of the chain,
 * on top of `parent`, from the first call to the last: a node that switches chains in between gives an error, never a mixture.
 * @throws Error when the chain moved meanwhile, or the node fails
 */
export const findChainEvents = async (
  chain: ChainClient,
  settlementContract: Address,
  range: { fromBlock: number; toBlock: number; parent: IndexedBlock | undefined; head: ChainBlock },
): Promise<RawChainEvents> => {
  const { fromBlock, toBlock, parent, head } = range
  const [blocks, logs] = await Promise.all([
    findBlocks(chain, Math.max(fromBlock, toBlock - keptBlocks + 1), toBlock, head),
    chain.getLogs({
      address: settlementContract,
      events,
      fromBlock: BigInt(fromBlock),
      toBlock: BigInt(toBlock),
      strict: true,
    }),
  ])
  checkUnbroken(blocks, parent)
  const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]))
  for (const { blockNumber, blockHash } of logs) {
    if ((hashes.get(Number(blockNumber)) ?? blockHash) !== blockHash) throw new Error(`block ${blockNumber} moved`)
  }
  const found: RawChainEvents = {
    blocks: blocks.map(({ number, hash, timestamp }) => ({ number, hash, timestamp })),
    settlements: [],
    trades: [],
    invalidations: [],
    presignatures: [],
  }
  const settleHashes = new Set(logs.flatMap((log) => (log.eventName === 'Settlement' ? [log.transactionHash] : [])))
  const transactions = await findTransactions(chain, [...settleHashes])
  const settlementLogs = logs.filter(({ eventName }) => eventName === 'Settlement')
  for (const log of logs) {
    const place = { blockNumber: Number(log.blockNumber), logIndex: log.logIndex }
    if (log.eventName === 'Settlement') {
      const transaction = transactions.get(log.transactionHash)
      if (transaction?.blockHash !== log.blockHash) throw new Error(`transaction ${log.transactionHash} moved`)
      found.settlements.push({ ...place, solver: lower(log.args.solver), transaction })
    } else if (log.eventName === 'Trade') {
      const settlement = settlementLogs.find(
        (other) => other.transactionHash === log.transactionHash && other.logIndex > log.logIndex,
      )
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
        settlementLogIndex: settlement?.logIndex ?? log.logIndex,
      })
    } else if (log.eventName === 'OrderInvalidated') {
      found.invalidations.push({ ...place, owner: lower(log.args.owner), orderUid: log.args.orderUid })
    } else {
      const { owner, orderUid, signed } = log.args
      found.presignatures.push({ ...place, owner: lower(owner), orderUid, signed })
    }
  }
  const after = await findBlock(chain, toBlock)
  if (after.hash !== hashes.get(toBlock)) throw new Error(`block ${toBlock} moved`)
  return found
}

const findBlocks = (chain: ChainClient, from: number, to: number, head: ChainBlock): Promise<ChainBlock[]> => {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  return mapBounded(numbers, concurrentCalls, async (number) =>
    number === head.number ? head : findBlock(chain, number),
  )
}

const checkUnbroken = (blocks: readonly ChainBlock[], parent: IndexedBlock | undefined): void => {
  let previous = parent
  for (const block of blocks) {
    if (previous?.number === block.number - 1 && block.parentHash !== previous.hash) {
      throw new Error(`block ${previous.number} moved`)
    }
    previous = block
  }
}

const findTransactions = async (chain: ChainClient, hashes: readonly Hex[]) => {
  const found = await mapBounded(hashes, concurrentCalls, async (hash) => {
    const [{ input }, receipt] = await Promise.all([
      chain.getTransaction({ hash }),
      chain.getTransactionReceipt({ hash }),
    ])
    const { blockHash, gasUsed, effectiveGasPrice } = receipt
    return { hash, input, blockHash, gasUsed, effectiveGasPrice }
  })
  return new Map(found.map((transaction) => [transaction.hash, transaction]))
}

const lower = (address: Address): Address => address.toLowerCase() as Address
