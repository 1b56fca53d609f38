import { type Hex, keccak256 } from 'viem'
import { maxOf, minOf } from '#shared/amounts/minMax.ts'
import { toNextBlock } from '#shared/chain/nextBlock.ts'
import { describeError } from '#shared/http/describeError.ts'
import { broadcast } from '../sending/broadcast.ts'
import { type CurrentTerms, findSendingTerms } from '../sending/findSendingTerms.ts'
import { signTransaction } from '../sending/signTransaction.ts'
import { simulateSettlement } from '../sending/simulateSettlement.ts'
import { abandon } from './abandon.ts'
import type { Repricing } from './createRepricing.ts'
import { noteRefused } from './retries.ts'
import type { SignedSubmission, Submission } from './submission.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

/** @param active transactions in flight, which come first */
export const sendSettlement = async (
  deps: SubmissionDeps,
  submission: Submission,
  active: readonly SignedSubmission[],
  repricing: Repricing,
): Promise<void> => {
  const { client, account, settlementContract: to, store, memory } = deps
  const { accessList } = submission
  const isFirst = active.length === 0
  const [found, pending] = await Promise.all([
    findSendingTerms(client, account.address),
    client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
  ])
  const terms = { ...found, gas: computeSpareGas(found, active) }
  const { maxFeePerGas, maxPriorityFeePerGas, head } = terms
  if (head >= submission.deadlineBlock) return
  const simulate = async (data: Hex) => {
    const transaction = { account: account.address, to, data, accessList }
    if (isFirst) return simulateSettlement(client, transaction, terms, toNextBlock(found, deps.blockTimeSeconds))
    // the node has no pending block: the settlement waits until none is in flight
    return simulateSettlement(client, transaction, terms, 'pending').catch(toReason)
  }
  const sendable = await findSendable(submission, await repricing.find(submission), simulate)
  if ('reason' in sendable) {
    if (isFirst) return abandon(deps, submission, sendable.reason, 'refused')
    return noteRefused(deps.retries, submission.solutionId, head, active)
  }
  const { data, gas } = sendable
  // a node may lag behind nonces that this queue has signed or seen used
  const used = [...store.findConfirming(), ...active].map(({ signed }) => signed.nonce + 1)
  const nonce = Math.max(pending, ...used)
  const fees = { maxFeePerGas, maxPriorityFeePerGas }
  const signed = await signTransaction(deps, head, { nonce, to, data, accessList, gas, ...fees })
  store.replaceCalldata(submission.solutionId, data)
  store.saveSettlement(submission.solutionId, { ...signed, isExpiring: client.isExpiring }, keccak256(signed.raw))
  const refusal = await broadcast(client, memory, signed.raw, head, submission.deadlineBlock)
  await repricing.noteSent(submission, data)
  if (refusal) deps.onHindrance(`the node refuses nonce ${nonce}: ${refusal.reason}`)
  if (refusal?.kind === 'final') abandon(deps, submission, refusal.reason)
}

/** Gas that the account can pay for in addition to the transactions in flight. */
const computeSpareGas = ({ gas, balance, maxFeePerGas }: CurrentTerms, active: readonly SignedSubmission[]): bigint => {
  const committed = active.reduce((sum, { signed }) => sum + signed.gas * signed.maxFeePerGas, 0n)
  if (maxFeePerGas === 0n) return gas
  return minOf(gas, maxOf(0n, balance - committed) / maxFeePerGas)
}

const toReason = (error: unknown): { reason: string } => ({ reason: describeError(error) })

/**
 * Finds calldata of a submission that passes a simulation. First the one computed for the pools as they are now, which
 * gives the orders at least what was proposed; then the proposed one; last the one that pays pools from the network
 * fees.
 * @param repriced calldata for the pools as they are now, if there is any
 * @returns calldata and gas limit, or why the proposed calldata reverts
 * @throws viem errors when the node does not respond to a simulation
 */
const findSendable = async (
  { calldata, fallback }: Pick<Submission, 'calldata' | 'fallback'>,
  repriced: Hex | undefined,
  simulate: (data: Hex) => Promise<{ gas: bigint } | { reason: string }>,
): Promise<{ data: Hex; gas: bigint } | { reason: string }> => {
  if (repriced && repriced !== calldata) {
    const simulation = await simulate(repriced)
    if ('gas' in simulation) return { data: repriced, gas: simulation.gas }
  }
  const proposed = await simulate(calldata)
  if ('gas' in proposed) return { data: calldata, gas: proposed.gas }
  const cushioned = fallback ? await simulate(fallback) : proposed
  return fallback && 'gas' in cushioned ? { data: fallback, gas: cushioned.gas } : proposed
}
