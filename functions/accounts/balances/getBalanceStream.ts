import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import { endpoint } from '#shared/api/endpoint.ts'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import type { StreamRefusal } from '#shared/streams/openCountedStream.ts'
import { streamHeaders } from '#shared/streams/streamHeaders.ts'
import { balanceParamsSchema, tokensQuerySchema } from './balanceParams.ts'
import type { Account } from './findAccountBalances.ts'

/** A client's request for a stream. */
export type BalanceStreamRequest = {
  tokens: readonly Address[]
  /** key under which the streams of a client are counted */
  client: string
  lastEventId: string | undefined
}

export type BalanceStreamRefusal = StreamRefusal<keyof typeof refusalTexts>

export type BalanceStreamDeps = {
  /** rejects with an ApiError when the network is not served, or the watch fails */
  openStream: (account: Account, request: BalanceStreamRequest) => Promise<ReadableStream | BalanceStreamRefusal>
}

/** Seconds until a slot may be free. */
const retryAfter = 30

const refusalTexts = {
  streamsPerClient: 'streams of one client at once',
  streamsPerAccount: 'streams of one client on one account at once',
  tokensPerAccount: 'different tokens in all streams of one client on one account',
} as const

const getBalanceStreamRoute = createRoute({
  ...endpoint('getBalanceStream'),
  tags: ['Accounts'],
  summary: 'Stream the balances of an account and their changes',
  description:
    'Server-sent events. `initial_balances` has `{ balances }`, with the entries of the balances route; `balance_update` has `{ type, chainId, timestamp, userAddress, tokenAddress }` and, depending on `type`, `oldBalance` and `newBalance` (`balance_change`) or `oldAllowance` and `newAllowance` (`allowance_change`), with the timestamp in milliseconds; `ping` is sent every 15 to 20 seconds; `error` has `{ message }` when the balances cannot be read yet, and they follow later. A stream ends after some minutes. A client that reconnects with `Last-Event-ID`, as an EventSource does automatically, gets the changes since then, or `initial_balances` when they are no longer available.',
  request: { params: balanceParamsSchema, query: tokensQuerySchema },
  responses: {
    200: { description: 'the events', content: { 'text/event-stream': { schema: z.string() } } },
    ...messageResponses(['InvalidParameter', 'NotFound', 'RateLimited', 'ServiceUnavailable'], {
      RateLimited: 'too many streams or tokens for this client; `data` names the limit',
    }),
  },
})

/** `GET /{chainId}/accounts/{user}/balances/sse`. HEAD returns the headers and opens no stream. */
export const getBalanceStream = (deps: BalanceStreamDeps) =>
  createApp(auxiliaryFormat).openapi(getBalanceStreamRoute, async (c) => {
    const { chainId: network, user: address } = c.req.valid('param')
    const { tokens } = c.req.valid('query')
    if (c.req.method === 'HEAD') return c.body(null, 200, streamHeaders)
    const opened = await deps.openStream(
      { network, address },
      {
        tokens,
        client: computeClientKey(c.req.header('CF-Connecting-IP')),
        lastEventId: c.req.header('Last-Event-ID'),
      },
    )
    if (opened instanceof ReadableStream) return c.body(opened, 200, streamHeaders)
    const { limit, max } = opened
    c.header('Retry-After', String(retryAfter))
    throw new ApiError('RateLimited', { description: `more than ${max} ${refusalTexts[limit]}`, data: { limit, max } })
  })
