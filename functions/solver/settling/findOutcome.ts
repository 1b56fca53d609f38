import type { Hex } from 'viem'
import type { SettlementFate, SettlementOutcome } from './submission.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

/** The receipt of the one version of a settlement that is on the chain. */
export const findReceipt = async ({ client }: SubmissionDeps, hashes: readonly Hex[]) => {
  for (const hash of hashes) {
    const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (receipt) return { ...receipt, hash }
  }
  return undefined
}

/** The outcome and the fate of a settlement by its receipt; undefined without one. */
export const findOutcome = async (
  deps: SubmissionDeps,
  hashes: readonly Hex[],
): Promise<{ outcome: SettlementOutcome; fate: SettlementFate } | undefined> => {
  const receipt = await findReceipt(deps, hashes)
  if (!receipt) return undefined
  deps.memory.decidedIn.set(receipt.blockHash, Number(receipt.blockNumber))
  const { hash } = receipt
  if (receipt.status === '0x1') return { outcome: { mined: true }, fate: { kind: 'mined', hash } }
  const gasUsed = BigInt(receipt.gasUsed)
  deps.onRevert({ hash, gasUsed, wei: gasUsed * BigInt(receipt.effectiveGasPrice ?? '0x0') })
  return { outcome: { mined: false, reason: 'reverted on the chain' }, fate: { kind: 'reverted', hash } }
}
