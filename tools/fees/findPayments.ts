import { type Address, erc20Abi, type Hex, parseEventLogs, TransactionReceiptNotFoundError } from 'viem'
import type { OperatorChain } from '../contracts/connectOperator.ts'
import type { Payment } from './computeOwed.ts'

/**
 * Transfers out of the settlement contract in these transactions.
 * @throws Error when the node fails
 */
export const findPayments = async (
  chain: Pick<OperatorChain, 'getTransactionReceipt'>,
  settlement: Address,
  hashes: readonly Hex[],
): Promise<Payment[]> => {
  const payments: Payment[] = []
  for (const hash of hashes) {
    const receipt = await chain.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined
      throw error
    })
    for (const { address, args } of parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt?.logs ?? [] }))
      if (args.from.toLowerCase() === settlement)
        payments.push({ to: toLower(args.to), token: toLower(address), amount: args.value })
  }
  return payments
}

const toLower = (address: Address): Address => address.toLowerCase() as Address
