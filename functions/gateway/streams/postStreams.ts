import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { endpoint } from '#shared/api/endpoint.ts'
import { routes } from '#shared/api/routes.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { streamHeaders } from '#shared/streams/streamHeaders.ts'
import { findRoute } from '../routing/findRoute.ts'
import { type SendInternal, toInnerHeaders } from '../routing/sendInternal.ts'
import { mergeStreams } from './mergeStreams.ts'

const maxPaths = 16
/** Characters; a balance stream with 200 tokens needs the most. */
const maxPathLength = 12_000

const streamed = [routes.getOrderEvents, routes.getAccountEvents, routes.getBalanceStream]

const isStreamed = (path: string): boolean => {
  // the path follows an origin, so without a slash it would change the host
  const url = path.startsWith('/') ? URL.parse(`http://edgebook${path}`) : null
  const route = url ? findRoute(url.pathname)?.methods.get : undefined
  return streamed.some((known) => known === route)
}

const requestSchema = z.object({
  paths: z
    .array(z.string().max(maxPathLength).refine(isStreamed, 'must be the path of a stream of this API'))
    .min(1)
    .max(maxPaths)
    .openapi({ description: 'paths of streams of this API, with their queries' }),
})

const postStreamsRoute = createRoute({
  ...endpoint('postStreams'),
  tags: ['Service'],
  summary: 'Follow several streams',
  description:
    'Server-sent events of several streams in one response: browsers open at most six connections to a host over HTTP/1.1. Each message is JSON with the `path` of its stream, and `event` and `data` as that stream has them. `open` is sent when the stream of a path begins, `refused` with `{ status, body }` when it does not. The response ends when one of its streams ends, or when all are refused. A client that reconnects sends the same request and receives each stream from its beginning. Each stream counts towards its own limits.',
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: requestSchema,
          example: { paths: [`/sepolia/api/v1/account/${exampleValues.account}/orders/events`] },
        },
      },
    },
  },
  responses: {
    200: { description: 'the events', content: { 'text/event-stream': { schema: z.string() } } },
    ...errorResponses(
      'InvalidParameter',
      'UnsupportedMediaType',
      'RateLimited',
      'InternalServerError',
      'ServiceUnavailable',
    ),
  },
})

/** `POST /streams`. Each stream is requested through the whole gateway, for the client of this request. */
export const postStreams = (connect: (c: Context) => SendInternal) =>
  createApp().openapi(postStreamsRoute, (c) => {
    const paths = [...new Set(c.req.valid('json').paths)]
    const send = connect(c)
    const headers = toInnerHeaders(c.req.raw)
    const { origin } = new URL(c.req.url)
    const body = mergeStreams(paths, (path) => send(new Request(origin + path, { headers })))
    return c.body(body, 200, streamHeaders)
  })
