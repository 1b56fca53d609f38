import type { Context } from 'hono'

/** Keeps work running when the response does not wait for it: the runtime would cancel it, and when the client leaves. */
export const keepRunning = (c: Context, work: Promise<unknown>): void => {
  const settled = work.catch(() => undefined)
  if (hasExecutionContext(c)) c.executionCtx.waitUntil(settled)
}

/** Hono's getter throws without one, as outside of a Worker. */
const hasExecutionContext = (c: Context): boolean => {
  try {
    return Boolean(c.executionCtx)
  } catch {
    return false
  }
}
