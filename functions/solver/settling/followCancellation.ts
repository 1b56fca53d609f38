import { broadcast } from '../sending/broadcast.ts'
import { type CurrentTerms, findSendingTerms } from '../sending/findSendingTerms.ts'
import { raiseFees } from '../sending/raiseFees.ts'
import { signTransfer } from '../sending/signTransaction.ts'
import type { SignedSubmission } from './submission.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

/** factor of `cancellationFeeMultiple` for replacing a transaction with unknown fees */
const replacementFactor = 4n

/** Replaces a stuck transaction by an empty self-transfer: once either is mined, the next nonce can proceed. */
export const sendCancellation = async (
  deps: SubmissionDeps,
  { solutionId, signed }: SignedSubmission,
  terms: CurrentTerms,
  head: number,
): Promise<void> => {
  const transfer = await signTransfer(deps, head, signed.nonce, raiseFees(signed, terms))
  deps.store.saveCancellation(solutionId, transfer)
  const refusal = await broadcast(deps.client, deps.memory, transfer.raw, head)
  if (refusal) deps.onHindrance(`the node refuses nonce ${signed.nonce}: ${refusal.reason}`)
}

/** Raises the fees once per block, unless they are so far above the market that they cannot be the obstacle. */
export const followCancellation = async (
  deps: SubmissionDeps,
  submission: SignedSubmission,
  head: number,
  mined: number,
): Promise<void> => {
  const { signed, solutionId } = submission
  if (signed.nonce < mined) return deps.store.confirm(solutionId, head)
  if (head <= signed.atBlock) return
  const terms = await findSendingTerms(deps.client, deps.account.address)
  const factor = deps.memory.underpriced.has(signed.raw) ? replacementFactor : 1n
  const multiple = factor * deps.cancellationFeeMultiple
  if (signed.maxFeePerGas < multiple * terms.maxFeePerGas) await sendCancellation(deps, submission, terms, head)
}
