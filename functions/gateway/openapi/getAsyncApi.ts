import { createRoute } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { cacheFor } from '#shared/cacheFor.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { type AsyncApiDocument, asyncApiSchema } from './findAsyncApi.ts'

export type AsyncApiDeps = {
  findDocument: () => Promise<AsyncApiDocument>
  /** milliseconds */
  now: () => number
}

const lifetimeMs = 300_000

const getAsyncApiRoute = createRoute({
  ...endpoint('getAsyncApi'),
  tags: ['Service'],
  summary: 'Messages of the WebSocket',
  description: 'Generated from the schemas that validate its messages.',
  responses: {
    200: {
      description: 'an AsyncAPI 3.0 document',
      content: { 'application/json': { schema: asyncApiSchema } },
    },
    ...errorResponses('InternalServerError', 'RateLimited', 'ServiceUnavailable'),
  },
})

/** `GET /asyncapi.json`: requested at most once in five minutes, and not cached when the Worker fails. */
export const getAsyncApi = ({ findDocument, now }: AsyncApiDeps) => {
  const findCached = cacheFor(lifetimeMs, now, findDocument)
  return createApp().openapi(getAsyncApiRoute, async (c) =>
    c.json(await findCached(), 200, { 'Cache-Control': cachePolicies.service }),
  )
}
