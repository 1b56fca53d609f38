import type { AccessList, Address, Hex } from 'viem'
import { maxOf, minOf } from '#shared/amounts/minMax.ts'
import { decodeRevert, findRevertReason } from '../solutions/findRevertReason.ts'
import type { SenderClient } from './connectSender.ts'
import type { SendingTerms } from './findSendingTerms.ts'

export interface SettlementTransaction {
  account: Address
  to: Address
  data: Hex
  accessList: AccessList
}

/** what a swap may take above its estimate: price accumulators of a pool are written once a second, 45,000 gas */
const spareGas = 50_000n

/**
 * Gas limit of a settlement: half more than its estimate and 50,000, which is also the most that a revert can cost. The
 * estimate and a last call on the same block have the sender, the fee cap, the tip and the access list of the transaction,
 * and the last call has its gas limit: a contract that reads `tx.gasprice`, `tx.origin` or `gasleft()` sees the same in both.
 * @param terms `gas` is the most that the settlement may take
 * @param blockTag the newest block unless given; `pending` has the transactions that the node knows in it
 * @returns the gas limit, or why it reverts or cannot be sent
 * @throws viem errors when the node gives no answer
 */
export const simulateSettlement = async (
  client: SenderClient,
  transaction: SettlementTransaction,
  terms: SendingTerms,
  blockTag?: 'pending',
): Promise<{ gas: bigint } | { reason: string }> => {
  const { maxFeePerGas, maxPriorityFeePerGas } = terms
  const fees = { maxFeePerGas, maxPriorityFeePerGas, ...(blockTag && { blockTag }) }
  const estimate = await client.estimateGas({ ...transaction, ...fees, gas: terms.gas }).catch(toRevertReason)
  if (typeof estimate === 'string') return { reason: estimate }
  if (estimate > terms.gas) return { reason: `needs ${estimate} gas` }
  const gas = maxOf(estimate, minOf(terms.gas, (estimate * 3n) / 2n + spareGas))
  const reason = await findRevertReason(client, { ...transaction, ...fees, gas })
  return reason === undefined ? { gas } : { reason }
}

/** @throws the error when the node gave no answer */
const toRevertReason = (error: unknown): string => {
  const reason = decodeRevert(error)
  if (reason === undefined) throw error
  return reason
}
