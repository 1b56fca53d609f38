import { broadcast } from '../sending/broadcast.ts'
import { findSendingTerms } from '../sending/findSendingTerms.ts'
import { signTransfer } from '../sending/signTransaction.ts'
import { abandon } from './abandon.ts'
import { findActive } from './findActive.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

/** maximum number of missing nonces to fill; a chain that lost more is a different chain */
const maxGap = 64

/**
 * Fills missing nonces before the submissions in flight, those that neither the chain nor this store has. Nonces used
 * by pending transactions of another process are left alone until a submission is late.
 */
export const fillGaps = async (deps: SubmissionDeps, head: number, mined: number): Promise<void> => {
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
