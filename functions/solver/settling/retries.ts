import type { SignedSubmission } from './submission.ts'

/**
 * Schedule for simulating queued settlements again that revert behind those in flight: at once when the newest block or
 * those in flight have changed, otherwise after 1, 2, 4, 8 … steps, because transactions of others change the pending
 * block, too.
 */
export interface Retries {
  step: number
  /** by id of the submission */
  refused: Map<number, { situation: string; failures: number; nextStep: number }>
}

export const createRetries = (): Retries => ({ step: 0, refused: new Map() })

/** Begins a step, and forgets submissions that are no longer queued. */
export const beginStep = (retries: Retries, queued: readonly { solutionId: number }[]): void => {
  retries.step += 1
  const ids = new Set(queued.map(({ solutionId }) => solutionId))
  for (const id of retries.refused.keys()) if (!ids.has(id)) retries.refused.delete(id)
}

/** Whether this step simulates a settlement behind `active`. */
export const isDue = (retries: Retries, id: number, head: number, active: readonly SignedSubmission[]): boolean => {
  const refused = retries.refused.get(id)
  return !refused || retries.step >= refused.nextStep || refused.situation !== describeSituation(head, active)
}

/** Records that a settlement reverts behind `active`. */
export const noteRefused = (retries: Retries, id: number, head: number, active: readonly SignedSubmission[]): void => {
  const situation = describeSituation(head, active)
  const last = retries.refused.get(id)
  const failures = last?.situation === situation ? last.failures + 1 : 1
  retries.refused.set(id, { situation, failures, nextStep: retries.step + 2 ** (failures - 1) })
}

/** A transaction is signed again only with higher fees, so its nonce and its fee cap name it. */
const describeSituation = (head: number, active: readonly SignedSubmission[]): string =>
  [head, ...active.map(({ signed }) => `${signed.nonce} ${signed.maxFeePerGas}`)].join()
