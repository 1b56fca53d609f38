import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { RateLimitError } from '#shared/chain/RateLimitError.ts'
import { describeError } from '#shared/http/describeError.ts'
import { abandon } from './abandon.ts'
import type { Submission } from './submission.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

/** Whether a step failed because of the submission: viem rejected its parameters before any request. */
const isCallFault = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) =>
      cause instanceof HttpRequestError ||
      cause instanceof RpcRequestError ||
      cause instanceof TimeoutError ||
      cause instanceof RateLimitError,
  ) === null

/** One submission must not block the following ones: a failure not caused by the node ends it. */
export const isolate = async (
  deps: SubmissionDeps,
  submission: Submission,
  step: () => Promise<void>,
): Promise<void> => {
  try {
    await step()
  } catch (error) {
    if (!isCallFault(error)) throw error
    console.error(
      JSON.stringify({ message: 'submission failed', solutionId: submission.solutionId, cause: describeError(error) }),
    )
    abandon(deps, submission, 'it cannot be signed')
  }
}
