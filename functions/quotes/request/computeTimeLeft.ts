import type { PreparedRequest } from './prepareRequest.ts'
import { minTimeoutMs } from './quoteRequest.ts'

/** Milliseconds until a request's deadline. The time starts when the request is received, so queueing counts. */
export const computeTimeLeft = (
  deps: { timeoutMs: number; now: () => number },
  { request, receivedAt }: Pick<PreparedRequest, 'request' | 'receivedAt'>,
): number => Math.max(1, computeTimeout(deps, request) - (deps.now() - receivedAt))

/** Total time of a request, milliseconds: the client may shorten the setting, to no less than `minTimeoutMs`. */
export const computeTimeout = (
  { timeoutMs }: { timeoutMs: number },
  { timeout }: Pick<PreparedRequest['request'], 'timeout'>,
): number => Math.min(Math.max(timeout ?? timeoutMs, minTimeoutMs), timeoutMs)
