import type { Context } from 'hono'

/**
 * Continues background work after the response, and after the client disconnects; the runtime would cancel it
 * otherwise.
 */
export const keepRunning = (c: Context, work: Promise<unknown>): void => {
  const settled = work.catch(() => undefined)
  if (hasExecutionContext(c)) c.executionCtx.waitUntil(settled)
}

/** Hono's getter throws outside of a Worker. */
const hasExecutionContext = (c: Context): boolean => {
  try {
    return Boolean(c.executionCtx)
  } catch {
    return false
  }
}
