import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, TransactionNotFoundError, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'

/** milliseconds */
const timeoutMs = 100_000
const intervalMs = 25

type Chain = {
  getTransactionReceipt: (wanted: { hash: Hex }) => Promise<TransactionReceipt>
  getTransaction: (wanted: { hash: Hex }) => Promise<{ blockHash: Hex | null }>
}

/**
 * Waits until a local chain has mined a transaction and finds it in the block of its receipt: anvil has the receipt a
 * moment before the transaction leaves the pool. viem's own wait looks again only at the next block, which automatic
 * mining may never give.
 * @throws Error when the transaction is not mined in time
 */
export const waitForReceipt = async (chain: Chain, hash: Hex): Promise<TransactionReceipt> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const receipt = await chain.getTransactionReceipt({ hash }).catch(ignoreMissing)
    const transaction = receipt && (await chain.getTransaction({ hash }).catch(ignoreMissing))
    if (receipt && transaction?.blockHash === receipt.blockHash) return receipt
    if (Date.now() > deadline) throw new Error(`transaction ${hash} was not mined within ${timeoutMs / 1_000} s`)
    await sleep(intervalMs)
  }
}

const ignoreMissing = (error: unknown): undefined => {
  const isMissing = error instanceof TransactionReceiptNotFoundError || error instanceof TransactionNotFoundError
  if (!isMissing) throw error
}
