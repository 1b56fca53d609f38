import { createRoute } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { type Quota, quotaHeader, readQuota } from '#shared/http/quota.ts'
import type { SocketRefusal } from './openSocket.ts'

/** Seconds until a connection may be free. */
const retryAfter = 30

const getSocketRoute = createRoute({
  ...endpoint('getSocket'),
  tags: ['Orders'],
  summary: 'Follow orders, trades, auctions, prices and balances by WebSocket',
  description:
    'The events of the event streams for up to 50 subscriptions of one connection: orders, accounts, conditional orders, pairs, trades, auctions, prices of tokens, and balances. `/asyncapi.json` describes the messages. A subscription begins with a snapshot, or continues after the `seq` where an earlier connection ended, without loss. Each `subscribe` and `unsubscribe` counts as a read.',
  responses: {
    101: { description: 'the connection is a WebSocket now' },
    ...errorResponses('InvalidParameter', 'RateLimited', 'InternalServerError', 'ServiceUnavailable'),
  },
})

type SocketDeps = {
  /** rejects with an ApiError when the feed fails */
  openSocket: (client: string, quota: Quota | undefined) => Promise<Response | SocketRefusal>
}

/** `GET /{network}/api/v1/ws`: upgrade to a WebSocket. */
export const getSocket = ({ openSocket }: SocketDeps) =>
  createApp().openapi(getSocketRoute, async (c) => {
    if (c.req.header('Upgrade')?.toLowerCase() !== 'websocket') {
      const description = 'this path is a WebSocket: send Upgrade: websocket'
      throw new ApiError('InvalidParameter', { description, data: { field: 'Upgrade' } })
    }
    const quota = readQuota(c.req.header(quotaHeader))
    const opened = await openSocket(computeClientKey(c.req.header('CF-Connecting-IP')), quota)
    // a typed response has no 101
    if (opened instanceof Response) return opened as never
    const { limit, max } = opened
    c.header('Retry-After', String(retryAfter))
    throw new ApiError('RateLimited', { description: `more than ${max} WebSockets at once`, data: { limit, max } })
  })
