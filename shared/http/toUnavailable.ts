import { describeError } from './describeError.ts'
import { ApiError } from './errors.ts'

/** Error of a route whose dependency failed; the cause is in the log only. */
export const toUnavailable = (dependency: string, cause: unknown): ApiError =>
  new ApiError('ServiceUnavailable', {
    data: { dependency, retryable: true },
    context: { cause: describeError(cause) },
  })
