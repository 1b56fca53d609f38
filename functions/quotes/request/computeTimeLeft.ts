import type { PreparedRequest } from './prepareRequest.ts'
import { minTimeoutMs } from './quoteRequest.ts'

/** Milliseconds that are left of a request's time; it began when the request came, and waiting for a turn is part of it. */
export const computeTimeLeft = (
  deps: { timeoutMs: number; now: () => number },
  { request, receivedAt }: Pick<PreparedRequest, 'request' | 'receivedAt'>,
): number => Math.max(1, computeTimeout(deps, request) - (deps.now() - receivedAt))

/** Milliseconds that a request has in all: the client may shorten the setting, to `minTimeoutMs` at the least. */
export const computeTimeout = (
  { timeoutMs }: { timeoutMs: number },
  { timeout }: Pick<PreparedRequest['request'], 'timeout'>,
): number => Math.min(Math.max(timeout ?? timeoutMs, minTimeoutMs), timeoutMs)
