import { type Hex, keccak256 } from 'viem'
import { maxOf, minOf } from '#shared/amounts/minMax.ts'
import { describeError } from '#shared/http/describeError.ts'
import { broadcast } from './broadcast.ts'
import { createRepricing, type Repricing } from './createRepricing.ts'
import { findSendable } from './findSendable.ts'
import { type CurrentTerms, findSendingTerms } from './findSendingTerms.ts'
import {
  abandon,
  checkReceipts,
  followCancellation,
  followSettlement,
  isCallFault,
  patienceBlocks,
  type SubmissionDeps,
} from './followSubmission.ts'
import { isSigned, type SignedSubmission, type Submission } from './settlementStore.ts'
import { signTransaction, signTransfer } from './signTransaction.ts'
import { simulateSettlement } from './simulateSettlement.ts'

/** blocks that a reorganisation may replace; the queue tracks its transactions for as long */
const confirmationBlocks = 64
/** maximum number of missing nonces to fill; a chain that lost more is a different chain */
const maxGap = 64
/** maximum number of transactions tracked per step, those with the lowest nonces */
const maxFollowed = 16
/** maximum number of settlements in flight; nodes keep at least 16 transactions of one account */
const maxInFlight = 10

/**
 * Advances the solver's submissions by one step, from the store and the state of the chain:
 *
 *     queued → sent → confirming                mined, reverted, or its nonce was used by another transaction
 *                   → cancelling → confirming   not mined by its deadline, and an endpoint may still include it
 *     queued → finished                         it reverts in simulation, cannot be paid for, or is too late
 *     sent → finished                           not mined by its deadline, and every endpoint drops it then
 *     confirming → finished                     no reorganisation can remove it any more
 *     confirming → sent, cancelling             a reorganisation removed it, or another transaction has its nonce since
 *
 * Invariant: all transactions ever signed for a solution have one nonce, so at most one of them is ever on the chain. A
 * settlement is re-signed only with higher fees, after the same simulation. Up to `maxInFlight` settlements wait for
 * the same block, with consecutive nonces: each is simulated on the pending block, after those sent before. One that
 * reverts there waits until none is in flight. Their new prices are computed at the same time (`createRepricing`).
 *
 * Every step is idempotent: a transaction is stored before it is broadcast, and rebroadcast unchanged, in nonce order,
 * after a restart and with every block that does not contain it. Nonces that the chain lost and the store does not have
 * are filled by empty self-transfers; so is the nonce of a dropped settlement when later ones wait for it.
 * @returns whether a submission is in flight; confirming ones need a check per block only
 * @throws viem errors when the node does not respond; call again later
 */
export const advanceSubmissions = async (deps: SubmissionDeps): Promise<boolean> => {
  const { store } = deps
  if (!store.hasWork()) return false
  const head = await broadcastAll(deps)
  for (const submission of store.findUnfinished()) {
    if (submission.state !== 'queued' || head < submission.deadlineBlock) continue
    abandon(deps, submission, 'the deadline passed before it could be sent')
  }
  const { client, account } = deps
  const mined = await client.getTransactionCount({ address: account.address, blockTag: 'latest' })
  watchConfirming(deps, head, mined)
  await checkReceipts(deps, mined)
  await fillGaps(deps, head, mined)
  for (const submission of findActive(deps).slice(0, maxFollowed)) {
    await isolate(deps, submission, () =>
      submission.state === 'sent'
        ? followSettlement(deps, submission, head, mined)
        : followCancellation(deps, submission, head, mined),
    )
  }
  const inFlight = findActive(deps).length
  const queued = store.findUnfinished().filter(({ state }) => state === 'queued')
  const soon = queued.slice(0, Math.max(0, maxInFlight - inFlight))
  const repricing = createRepricing(deps, soon, inFlight > 0 ? { blockTag: 'pending' } : {})
  for (const next of queued) {
    const active = findActive(deps)
    if (active.length >= maxInFlight) break
    await isolate(deps, next, () => sendSettlement(deps, next, active, repricing))
  }
  return store.findUnfinished().length > 0
}

/** Submissions with a transaction in flight; a record without its transaction is finished. */
const findActive = (deps: SubmissionDeps): SignedSubmission[] =>
  deps.store.findUnfinished().flatMap((submission) => {
    if (submission.state === 'queued') return []
    if (isSigned(submission)) return [submission]
    abandon(deps, submission, 'its transaction is lost')
    return []
  })

/**
 * Broadcasts transactions that are in flight and before their deadline.
 * @returns the head afterwards: a chain with instant mining includes them
 */
const broadcastAll = async (deps: SubmissionDeps): Promise<number> => {
  const findHead = async () => Number(await deps.client.getBlockNumber())
  const head = await findHead()
  let broadcasts = 0
  for (const { state, deadlineBlock, signed } of findActive(deps).slice(0, maxFollowed)) {
    if (deps.memory.broadcastAt.get(signed.raw) === head || (state === 'sent' && head >= deadlineBlock)) continue
    const validUntil = state === 'sent' ? deadlineBlock : undefined
    const refusal = await broadcast(deps.client, deps.memory, signed.raw, head, validUntil)
    if (refusal) deps.onHindrance(`the node refuses nonce ${signed.nonce}: ${refusal.reason}`)
    broadcasts += 1
  }
  return broadcasts > 0 ? findHead() : head
}

/** Finishes submissions that are too old for a reorganisation, and reopens those that one removed. */
const watchConfirming = ({ store, memory }: SubmissionDeps, head: number, mined: number): void => {
  const confirming = store.findConfirming()
  const isLost = confirming.some(({ signed }) => signed.nonce >= mined)
  memory.lostSince = isLost ? Math.min(memory.lostSince ?? head, head) : undefined
  for (const { solutionId, signed, settlementHashes, confirmedAt } of confirming) {
    if (signed.nonce < mined) {
      if (head >= confirmedAt + confirmationBlocks) store.finish(solutionId)
    } else if (head >= Math.min(confirmedAt, (memory.lostSince ?? head) + patienceBlocks)) {
      store.reopen(solutionId, settlementHashes.includes(keccak256(signed.raw)) ? 'sent' : 'cancelling')
    }
  }
}

/**
 * Fills missing nonces before the submissions in flight, those that neither the chain nor this store has. Nonces used
 * by pending transactions of another process are left alone until a submission is late.
 */
const fillGaps = async (deps: SubmissionDeps, head: number, mined: number): Promise<void> => {
  const { client, account, store, memory } = deps
  const active = findActive(deps)
  const end = Math.max(mined, ...active.map(({ signed }) => signed.nonce))
  if (end === mined) return
  const known = new Set([...active, ...store.findConfirming()].map(({ signed }) => signed.nonce))
  const missing = Array.from({ length: end - mined }, (_, i) => mined + i).filter((nonce) => !known.has(nonce))
  if (missing.length === 0) return
  if (missing.length > maxGap) {
    for (const submission of active) abandon(deps, submission, 'the chain lost too many transactions of the account')
    return
  }
  const pending = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  const isLate = active.some(({ deadlineBlock }) => deadlineBlock > 0 && head >= deadlineBlock)
  const terms = await findSendingTerms(client, account.address)
  for (const nonce of missing) {
    if (nonce < pending && !isLate) continue
    deps.onHindrance(`nonce ${nonce} of the account is missing`)
    const signed = await signTransfer(deps, head, nonce, terms)
    store.insertFiller(signed)
    await broadcast(client, memory, signed.raw, head)
  }
}

/** @param active transactions in flight, which come first */
const sendSettlement = async (
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
    if (isFirst) return simulateSettlement(client, transaction, terms)
    // the node has no pending block: the settlement waits until none is in flight
    return simulateSettlement(client, transaction, terms, 'pending').catch(toReason)
  }
  const sendable = await findSendable(submission, await repricing.find(submission), simulate)
  if ('reason' in sendable) return isFirst ? abandon(deps, submission, sendable.reason) : undefined
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

/** One submission must not block the following ones: a failure not caused by the node ends it. */
const isolate = async (deps: SubmissionDeps, submission: Submission, step: () => Promise<void>): Promise<void> => {
  try {
    await step()
  } catch (error) {
    if (!isCallFault(error)) throw error
    console.error(
      JSON.stringify({ message: 'submission failed', solutionId: submission.solutionId, cause: describeError(error) }),
    )
    abandon(deps, submission, 'it cannot be signed')
  }
}
