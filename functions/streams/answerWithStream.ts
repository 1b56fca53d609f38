import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { LogTopic } from '#schema/queries/newOrderEvents.ts'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { StreamRefusal } from '#shared/streams/openCountedStream.ts'
import { streamHeaders } from '#shared/streams/streamHeaders.ts'

/** What a client asks to be told of. */
export type StreamRequest = {
  topic: LogTopic
  /** whose streams are counted together */
  client: string
  lastEventId: string | undefined
}

export type OrderStreamRefusal = StreamRefusal<keyof typeof refusalTexts>

/** Refuses when the feed cannot be asked now. */
export type OpenStream = (request: StreamRequest) => Promise<ReadableStream | OrderStreamRefusal>

/** Seconds until somebody may have left. */
const retryAfter = 30

const refusalTexts = {
  streamsPerClient: 'streams of one client at once',
  streamsPerTopic: 'streams of one client on one order or account at once',
} as const

const maxIdLength = 40

/** The query of both streams. */
export const resumeQuerySchema = z.object({
  lastEventId: z.string().max(maxIdLength).optional().openapi({
    description: 'the header `Last-Event-ID`, for those who cannot set one; the header counts if there are both',
  }),
})

export const streamDescription = `Server-sent events. \`order\` has an \`OrderEvent\`; \`ping\` has \`{}\` and comes every 15 to 20 seconds; \`error\` has \`{ message }\` when the log cannot be read, once: the stream stays open, and what was missed follows; \`reset\` has \`{ message }\` when there is too much to tell since the position that the client came back with, or when that is none of this service: what was missed has to be read from the other routes. A stream ends after some minutes. A client that connects again with \`Last-Event-ID\`, as an EventSource does by itself, is told everything that was logged since, once, also after a restart or a new release. \`id:\` is a position in the log, nothing else; events come in its order.`

export const streamResponse = {
  description: 'the events; `OrderEvent` is the data of `order`',
  content: { 'text/event-stream': { schema: z.string() } },
} as const

export const streamErrors = ['InvalidParameter', 'RateLimited', 'InternalServerError', 'ServiceUnavailable'] as const

/**
 * The stream of a topic, or, to HEAD, what it would be.
 * @throws ApiError `RateLimited` naming the limit; `ServiceUnavailable`
 */
export const answerWithStream = async (
  c: Context,
  openStream: OpenStream,
  topic: LogTopic,
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
