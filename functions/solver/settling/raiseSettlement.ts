import { keccak256 } from 'viem'
import { toNextBlock } from '#shared/chain/nextBlock.ts'
import { broadcast } from '../sending/broadcast.ts'
import { findSendingTerms } from '../sending/findSendingTerms.ts'
import { raiseFees } from '../sending/raiseFees.ts'
import { signTransaction } from '../sending/signTransaction.ts'
import { findRevertReason } from '../solutions/findRevertReason.ts'
import type { SignedSubmission } from './submission.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

/** maximum number of signed versions of a settlement before its deadline, each with higher fees */
const maxVersions = 4

/**
 * Signs a settlement again whose fee cap is below the next base fee, or that `bumpBlocks` did not include: same call
 * and nonce, higher fees.
 */
export const raiseSettlement = async (
  deps: SubmissionDeps,
  submission: SignedSubmission,
  head: number,
): Promise<void> => {
  const { signed, solutionId, settlementHashes, accessList, calldata, sentCalldata: data = calldata } = submission
  const { deadlineBlock } = submission
  if (head <= signed.atBlock || settlementHashes.length >= maxVersions || signed.gas === 0n) return
  const { client, account, settlementContract: to, store, memory } = deps
  const terms = await findSendingTerms(client, account.address)
  const isTooLow = signed.maxFeePerGas < (terms.baseFeePerGas * 9n) / 8n || memory.underpriced.has(signed.raw)
  const isSlow = deps.bumpBlocks > 0 && head >= signed.atBlock + deps.bumpBlocks
  if (!(isTooLow || isSlow) || terms.gas < signed.gas) return
  deps.onHindrance(`the fee of nonce ${signed.nonce} is below the market's`)
  const offer = { ...raiseFees(signed, terms), gas: signed.gas }
  const call = { account: account.address, to, data, accessList, ...offer }
  const reason = await findRevertReason(client, call, toNextBlock(terms, deps.blockTimeSeconds))
  if (reason !== undefined) return
  const raised = await signTransaction(deps, head, { nonce: signed.nonce, to, data, accessList, ...offer })
  // an earlier version may be at an endpoint that the solver used before
  const isExpiring = signed.isExpiring === true && client.isExpiring
  store.saveSettlement(solutionId, { ...raised, isExpiring }, keccak256(raised.raw))
  await broadcast(client, memory, raised.raw, head, deadlineBlock)
}
