import { broadcast, forgetOtherBroadcasts } from '../sending/broadcast.ts'
import { abandon } from './abandon.ts'
import { checkReceipts } from './checkReceipts.ts'
import { createRepricing } from './createRepricing.ts'
import { fillGaps } from './fillGaps.ts'
import { findActive } from './findActive.ts'
import { followCancellation } from './followCancellation.ts'
import { followSettlement } from './followSettlement.ts'
import { isolate } from './isolate.ts'
import { beginStep, isDue } from './retries.ts'
import { sendSettlement } from './sendSettlement.ts'
import type { SubmissionDeps } from './submissionDeps.ts'
import { watchConfirming } from './watchConfirming.ts'

/** maximum number of transactions tracked per step, those with the lowest nonces */
const maxFollowed = 16
/** maximum number of settlements in flight; nodes retain at least 16 transactions of one account */
const maxInFlight = 10

/**
 * Advances the solver's submissions by one step, from the store and the state of the chain:
 *
 *     queued → sent → confirming                mined, reverted, or its nonce was used by another transaction
 *                   → cancelling → confirming   not mined by its deadline, and an endpoint may still include it
 *     queued → finished                         it reverts in simulation, cannot be paid for, or is too late
 *     sent → finished                           not mined by its deadline, and every endpoint drops it then
 *     confirming → finished                     beyond the reach of reorganisations
 *     confirming → sent, cancelling             a reorganisation removed it, or another transaction has its nonce since
 *
 * Invariant: all transactions ever signed for a solution have one nonce, so at most one of them is ever on the chain. A
 * settlement is re-signed only with higher fees, after the same simulation. Up to `maxInFlight` settlements wait for
 * the same block, with consecutive nonces: each is simulated on the pending block, after those sent before. One that
 * reverts there is simulated again later (`Retries`), and given up when none is in flight. Their new prices are
 * computed at the same time (`createRepricing`).
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
    abandon(deps, submission, 'the deadline passed before it could be sent', 'late')
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
  await sendQueued(deps, head)
  return store.findFirstUnfinished() !== null
}

const sendQueued = async (deps: SubmissionDeps, head: number): Promise<void> => {
  const { retries } = deps
  const active = findActive(deps)
  const queued = deps.store.findUnfinished().filter(({ state }) => state === 'queued')
  beginStep(retries, queued)
  const due = queued.filter(({ solutionId }) => isDue(retries, solutionId, head, active))
  const soon = due.slice(0, Math.max(0, maxInFlight - active.length))
  const repricing = createRepricing(deps, soon, active.length > 0 ? { blockTag: 'pending' } : {})
  for (const next of queued) {
    const inFlight = findActive(deps)
    if (inFlight.length >= maxInFlight) break
    if (!isDue(retries, next.solutionId, head, inFlight)) continue
    await isolate(deps, next, () => sendSettlement(deps, next, inFlight, repricing))
  }
}

/**
 * Broadcasts transactions that are in flight and before their deadline.
 * @returns the head afterwards: a chain with instant mining includes them
 */
const broadcastAll = async (deps: SubmissionDeps): Promise<number> => {
  const findHead = async () => Number(await deps.client.getBlockNumber())
  const head = await findHead()
  let broadcasts = 0
  const active = findActive(deps)
  forgetOtherBroadcasts(deps.memory, active)
  for (const { state, deadlineBlock, signed } of active.slice(0, maxFollowed)) {
    if (deps.memory.broadcastAt.get(signed.raw) === head || (state === 'sent' && head >= deadlineBlock)) continue
    const validUntil = state === 'sent' ? deadlineBlock : undefined
    const refusal = await broadcast(deps.client, deps.memory, signed.raw, head, validUntil)
    if (refusal) deps.onHindrance(`the node refuses nonce ${signed.nonce}: ${refusal.reason}`)
    broadcasts += 1
  }
  return broadcasts > 0 ? findHead() : head
}
