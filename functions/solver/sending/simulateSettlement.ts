import type { AccessList, Address, Hex } from 'viem'
import { maxOf, minOf } from '#shared/amounts/minMax.ts'
import { decodeRevert, findRevertReason } from '../solutions/findRevertReason.ts'
import type { SenderClient } from './connectSender.ts'
import type { SendingTerms } from './findSendingTerms.ts'

export interface SimulatedSettlement {
  account: Address
  to: Address
  data: Hex
  accessList: AccessList
}

/** allowance above the estimate: a pool updates its price accumulators once a second, for 45,000 gas */
const spareGas = 50_000n

/**
 * Simulates a settlement and computes its gas limit: 1.5 × the estimate + 50,000, which also bounds the cost of a
 * revert. The estimate and a final call on the same block use the sender, fee cap, tip and access list of the
 * transaction, and the final call its gas limit, so that contracts reading `tx.gasprice`, `tx.origin` or `gasleft()`
 * behave as in the transaction.
 * @param terms `gas` is the maximum of the settlement
 * @param blockTag the newest block by default; `pending` includes the node's pending transactions
 * @returns the gas limit, or why it reverts or cannot be sent
 * @throws viem errors when the node does not respond
 */
export const simulateSettlement = async (
  client: SenderClient,
  transaction: SimulatedSettlement,
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

/** @throws the error when the node did not respond */
const toRevertReason = (error: unknown): string => {
  const reason = decodeRevert(error)
  if (reason === undefined) throw error
  return reason
}
