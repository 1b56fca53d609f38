import { createRoute, z } from '@hono/zod-openapi'
import { etag } from 'hono/etag'
import { endpoint } from '#shared/api/endpoint.ts'
import { cacheFor } from '#shared/cacheFor.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import type { OpenApiDocument } from './buildOpenApiDocument.ts'

export type OpenApiDeps = {
  /** collects the documents of all Workers */
  findDocument: () => Promise<OpenApiDocument>
  /** milliseconds */
  now: () => number
}

const lifetimeMs = 300_000

const getOpenApiRoute = createRoute({
  ...endpoint('getOpenApi'),
  tags: ['Service'],
  summary: 'This document',
  description: 'Generated from the schemas that each Worker validates requests with.',
  middleware: etag(),
  responses: {
    200: {
      description: 'an OpenAPI 3.1 document',
      content: {
        'application/json': {
          schema: z.looseObject({
            openapi: z.literal('3.1.0'),
            info: z.looseObject({ title: z.string(), version: z.string() }),
            paths: z.record(z.string(), z.unknown()),
          }),
        },
      },
    },
    304: { description: 'the document matches `If-None-Match`' },
    ...errorResponses('InternalServerError', 'RateLimited', 'ServiceUnavailable'),
  },
})

/** `GET /openapi.json`: generated at most once in five minutes, and not cached when a Worker fails. */
export const getOpenApi = ({ findDocument, now }: OpenApiDeps) => {
  const findCached = cacheFor(lifetimeMs, now, findDocument)
  return createApp().openapi(getOpenApiRoute, async (c) =>
    c.json(await findCached(), 200, { 'Cache-Control': cachePolicies.service }),
  )
}
