import type { SettlementFate, SettlementOutcome, Submission } from './submission.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

/** Finishes a submission; its transaction, if any, is no longer tracked. */
export const abandon = (
  deps: SubmissionDeps,
  submission: Submission,
  reason: string,
  kind?: 'late' | 'refused',
): void => {
  settleOutcome(deps, submission, { mined: false, reason }, kind && { kind })
  deps.store.finish(submission.solutionId)
}

/** Records the outcome of a submission; the first one counts. */
export const settleOutcome = (
  { store, onOutcome, onFate }: SubmissionDeps,
  submission: Submission,
  outcome: SettlementOutcome,
  fate?: SettlementFate,
): void => {
  if (submission.outcome) return
  store.saveOutcome(submission.solutionId, outcome)
  onOutcome(submission.solutionId, outcome)
  onFate?.(submission.solutionId, fate)
}
