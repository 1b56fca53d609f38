import { findSendingTerms } from '../sending/findSendingTerms.ts'
import { abandon, settleOutcome } from './abandon.ts'
import { findOutcome } from './findOutcome.ts'
import { sendCancellation } from './followCancellation.ts'
import { raiseSettlement } from './raiseSettlement.ts'
import type { SignedSubmission } from './submission.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

/** maximum number of blocks that a node may lag behind the previously used one */
export const patienceBlocks = 3
/**
 * Blocks until a used nonce without a receipt is that of another transaction: the node that counted nonces may be ahead of the
 * one that named the head, and the one queried for receipts behind it. A mined settlement that is reported as failed
 * would be blamed, and its engine notified of a failure.
 */
const receiptPatienceBlocks = 2 * patienceBlocks
const lateReason = 'not mined by its deadline'

/**
 * Follows a sent settlement: records the outcome once its nonce is used, and cancels it when it is late.
 * @param mined transactions of the account on the chain
 */
export const followSettlement = async (
  deps: SubmissionDeps,
  submission: SignedSubmission,
  head: number,
  mined: number,
): Promise<void> => {
  const { signed, solutionId, settlementHashes, deadlineBlock } = submission
  if (signed.nonce < mined) {
    const found = await findOutcome(deps, settlementHashes)
    const since = deps.memory.withoutReceipt.get(solutionId) ?? head
    if (found === undefined && head < since + receiptPatienceBlocks) {
      deps.memory.withoutReceipt.set(solutionId, since)
      return
    }
    deps.memory.withoutReceipt.delete(solutionId)
    const { outcome, fate } = found ?? {
      outcome: { mined: false, reason: 'another transaction used its nonce' } as const,
    }
    settleOutcome(deps, submission, outcome, fate)
    deps.store.confirm(solutionId, head)
    return
  }
  if (head < deadlineBlock) return raiseSettlement(deps, submission, head)
  if (signed.isExpiring && deps.client.isExpiring) return dropSettlement(deps, submission, head)
  const terms = await findSendingTerms(deps.client, deps.account.address)
  settleOutcome(deps, submission, { mined: false, reason: lateReason }, { kind: 'late' })
  await sendCancellation(deps, submission, terms, head)
}

/**
 * Finishes a late settlement without a replacement: every endpoint has dropped it, so its nonce is free again. The
 * nonce count of the deadline's block says so, even from a node that lags; one that does not have the block is left
 * time.
 */
const dropSettlement = async (deps: SubmissionDeps, submission: SignedSubmission, head: number): Promise<void> => {
  const { signed, deadlineBlock } = submission
  const at = { address: deps.account.address, blockNumber: BigInt(deadlineBlock) }
  const used = await deps.client.getTransactionCount(at).catch(() => undefined)
  const isDropped = used === undefined ? head >= deadlineBlock + patienceBlocks : used <= signed.nonce
  if (isDropped) abandon(deps, submission, lateReason, 'late')
}
