import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Address, Hex } from 'viem'
import type { LogTopic } from '#schema/queries/events/logTopic.ts'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { StreamRefusal } from '#shared/streams/openCountedStream.ts'
import { streamHeaders } from '#shared/streams/streamHeaders.ts'

/** The event streams follow one order or one account. */
export type StreamTopic = Extract<LogTopic, { orderUid: Hex } | { account: Address }>

/** A client's request for a stream. */
export type EventStreamRequest = {
  topic: StreamTopic
  /** key under which the streams of a client are counted */
  client: string
  lastEventId: string | undefined
}

export type OrderStreamRefusal = StreamRefusal<keyof typeof refusalTexts>

/** Rejects with an ApiError when the feed fails. */
export type OpenStream = (request: EventStreamRequest) => Promise<ReadableStream | OrderStreamRefusal>

/** Seconds until a slot may be free. */
const retryAfter = 30

const refusalTexts = {
  streamsPerClient: 'streams of one client at once',
  streamsPerTopic: 'streams of one client on one order or account at once',
} as const

const maxIdLength = 40

/** The query of both streams. */
export const resumeQuerySchema = z.object({
  lastEventId: z.string().max(maxIdLength).optional().openapi({
    description: 'replaces the header `Last-Event-ID` for clients that cannot set it; the header takes precedence',
  }),
})

export const streamDescription = `Server-sent events. \`order\` has an \`OrderEvent\`; \`ping\` has \`{}\` and is sent every 15 to 20 seconds; \`error\` has \`{ message }\` and is sent once when the log cannot be read: the stream stays open, and missed events follow later; \`reset\` has \`{ message }\` when too many events were missed since the client's position, or when the position is unknown: read the missed state from the other routes. A stream ends after some minutes. A client that reconnects with \`Last-Event-ID\`, as an EventSource does automatically, gets every event logged since then exactly once, also after a restart or a new release. \`id:\` is only a position in the log; events are sent in log order.`

export const streamResponse = {
  description: 'the events; `OrderEvent` is the data of `order`',
  content: { 'text/event-stream': { schema: z.string() } },
} as const

export const streamErrors = ['InvalidParameter', 'RateLimited', 'InternalServerError', 'ServiceUnavailable'] as const

/**
 * Opens the stream of a topic; HEAD returns the headers and opens none.
 * @throws ApiError `RateLimited` naming the limit; `ServiceUnavailable`
 */
export const answerWithStream = async (
  c: Context,
  openStream: OpenStream,
  topic: StreamTopic,
  query: { lastEventId?: string | undefined },
) => {
  if (c.req.method === 'HEAD') return c.body(null, 200, streamHeaders)
  const opened = await openStream({
    topic,
    client: computeClientKey(c.req.header('CF-Connecting-IP')),
    lastEventId: c.req.header('Last-Event-ID')?.slice(0, maxIdLength) || query.lastEventId || undefined,
  })
  if (opened instanceof ReadableStream) return c.body(opened, 200, streamHeaders)
  const { limit, max } = opened
  c.header('Retry-After', String(retryAfter))
  throw new ApiError('RateLimited', { description: `more than ${max} ${refusalTexts[limit]}`, data: { limit, max } })
}
