import { keccak256 } from 'viem'
import { patienceBlocks } from './followSettlement.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

/** blocks that a reorganisation may replace; the queue tracks its transactions for as long */
const confirmationBlocks = 64

/** Finishes submissions that are too old for a reorganisation, and reopens those that one removed. */
export const watchConfirming = ({ store, memory }: SubmissionDeps, head: number, mined: number): void => {
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
