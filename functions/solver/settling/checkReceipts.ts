import { keccak256, numberToHex } from 'viem'
import { findReceipt } from './findOutcome.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

/**
 * Reopens mined settlements without a receipt of success, when a reorganisation replaced a block that decided one or
 * the process is new: another transaction may have used the nonce since, which nonce counts do not show.
 */
export const checkReceipts = async (deps: SubmissionDeps, mined: number): Promise<void> => {
  const { memory, store } = deps
  const confirming = store.findConfirming().filter(({ outcome }) => outcome?.mined)
  // blocks of reverted settlements decide nothing about others
  if (confirming.length === 0) memory.decidedIn.clear()
  const settled = confirming.filter(({ signed }) => signed.nonce < mined)
  if (settled.length === 0) return
  if (memory.decidedIn.size > 0 && !(await isReplaced(deps))) return
  const decided = settled.filter(({ signed, settlementHashes }) => settlementHashes.includes(keccak256(signed.raw)))
  if (decided.length === 0) return
  memory.decidedIn.clear()
  const receipts = await Promise.all(decided.map(({ settlementHashes }) => findReceipt(deps, settlementHashes)))
  for (const [i, { solutionId }] of decided.entries()) {
    const receipt = receipts[i]
    if (receipt?.status === '0x1') memory.decidedIn.set(receipt.blockHash, Number(receipt.blockNumber))
    else store.reopen(solutionId, 'sent')
  }
}

/** Whether the chain has another block in the place of one that decided an outcome. */
const isReplaced = async ({ client, memory }: SubmissionDeps): Promise<boolean> => {
  const blocks = [...memory.decidedIn].toSorted(([, a], [, b]) => a - b)
  for (const [hash, number] of blocks) {
    const block = await client.request({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] })
    // a node that lags does not have the block yet
    if (!block) return false
    if (block.hash !== hash) return true
  }
  // the newest one is above all others of the same chain
  memory.decidedIn = new Map(blocks.slice(-1))
  return false
}
