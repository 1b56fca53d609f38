import { abandon } from './abandon.ts'
import { isSigned, type SignedSubmission } from './submission.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

/** Submissions with a transaction in flight; a record without its transaction is finished. */
export const findActive = (deps: SubmissionDeps): SignedSubmission[] =>
  deps.store.findUnfinished().flatMap((submission) => {
    if (submission.state === 'queued') return []
    if (isSigned(submission)) return [submission]
    abandon(deps, submission, 'its transaction is lost')
    return []
  })
