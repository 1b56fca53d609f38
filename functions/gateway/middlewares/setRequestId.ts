import type { MiddlewareHandler } from 'hono'
import { withRequestId } from '#shared/logging/logEntry.ts'
import type { GatewayEnv } from '../gatewayEnv.ts'
import { readRequestId } from './readRequestId.ts'

/** Gives the request an id, which every log entry and the response contain. */
export const setRequestId = (): MiddlewareHandler<GatewayEnv> => async (c, next) => {
  const requestId = readRequestId(c.req.raw.headers)
  c.set('requestId', requestId)
  await withRequestId(requestId, next)
  c.res.headers.set('X-Request-Id', requestId)
}
