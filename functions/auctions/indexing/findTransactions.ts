import { type Address, type Hex, type TransactionReceipt, toEventSelector } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { MissingLogsError, NodeError } from '../chain/NodeError.ts'
import { toLowerAddress } from '../chain/toLowerAddress.ts'
import type { MinedLog } from './chain/checkLogs.ts'
import { concurrentCalls } from './chain/findLogs.ts'

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

/** Indexed events of the settlement contract. */
export const settlementEvents = settlementAbi.filter((item) => item.type === 'event' && item.name !== 'Interaction')

/**
 * Finds transactions with their receipts, by hash.
 * @param receipts known ones
 */
export const findTransactions = async (
  chain: ChainClient,
  hashes: readonly Hex[],
  receipts: ReadonlyMap<Hex, TransactionReceipt>,
) => {
  const found = await mapBounded(hashes, concurrentCalls, async (hash) => {
    const [transaction, receipt] = await Promise.all([
      chain.getTransaction({ hash }),
      receipts.get(hash) ?? chain.getTransactionReceipt({ hash }),
    ])
    if (transaction.blockHash !== receipt.blockHash) throw new NodeError(`transaction ${hash} moved`)
    const { gasUsed, effectiveGasPrice } = receipt
    const to = transaction.to === null ? null : toLowerAddress(transaction.to)
    return { hash, to, input: transaction.input, gasUsed, effectiveGasPrice, receipt }
  })
  return new Map(found.map((transaction) => [transaction.hash, transaction]))
}

const topics: ReadonlySet<Hex | undefined> = new Set(settlementEvents.map((event) => toEventSelector(event)))

/** Checks that a transaction's receipt contains exactly the logs found for it. */
export const checkComplete = (
  { hash, receipt }: { hash: Hex; receipt: TransactionReceipt },
  settlementContract: Address,
  mined: readonly MinedLog[],
): void => {
  const expected = receipt.logs.filter(
    (log) => toLowerAddress(log.address) === settlementContract && topics.has(log.topics[0]),
  )
  const found = mined.filter(({ transactionHash }) => transactionHash === hash)
  const isSame =
    expected.length === found.length &&
    found.every(({ blockHash, logIndex }, i) => {
      const other = expected[i]
      return other?.blockHash === blockHash && other.logIndex === logIndex
    })
  if (!isSame) throw new MissingLogsError(`the receipt of transaction ${hash} has other logs`)
}
