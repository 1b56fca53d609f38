import type { AccessList, Address, Hex } from 'viem'
import { maxOf, minOf } from '#shared/amounts/minMax.ts'
import { inNextBlock, type NextBlock } from '#shared/chain/nextBlock.ts'
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
 * transaction, and the final call its gas limit, so that contracts reading `tx.gasprice`, `tx.origin`, `gasleft()` or
 * `block.number` behave as in the transaction.
 * @param terms `gas` is the maximum of the settlement
 * @param block the next one, or `pending`, which includes the node's pending transactions
 * @returns the gas limit, or why it reverts or cannot be sent
 * @throws viem errors when the node does not respond
 */
export const simulateSettlement = async (
  client: SenderClient,
  transaction: SimulatedSettlement,
  terms: SendingTerms,
  block: NextBlock | 'pending',
): Promise<{ gas: bigint } | { reason: string }> => {
  const { maxFeePerGas, maxPriorityFeePerGas } = terms
  const [next, tag] = block === 'pending' ? [undefined, { blockTag: block }] : [block, {}]
  const fees = { maxFeePerGas, maxPriorityFeePerGas, ...tag }
  const request = { ...transaction, ...fees, gas: terms.gas }
  const estimate = await inNextBlock(client, next, (overrides) => client.estimateGas(request, overrides)).catch(
    toRevertReason,
  )
  if (typeof estimate === 'string') return { reason: estimate }
  if (estimate > terms.gas) return { reason: `needs ${estimate} gas` }
  const gas = maxOf(estimate, minOf(terms.gas, (estimate * 3n) / 2n + spareGas))
  const reason = await findRevertReason(client, { ...transaction, ...fees, gas }, next)
  return reason === undefined ? { gas } : { reason }
}

/** @throws the error when the node did not respond */
const toRevertReason = (error: unknown): string => {
  const reason = decodeRevert(error)
  if (reason === undefined) throw error
  return reason
}
