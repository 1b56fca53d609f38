import { createRoute, z } from '@hono/zod-openapi'
import { etag } from 'hono/etag'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { keepFor } from '#shared/keepFor.ts'
import type { OpenApiDocument } from './buildOpenApiDocument.ts'

export type OpenApiDeps = {
  /** asks the Workers what they answer */
  findDocument: () => Promise<OpenApiDocument>
  /** milliseconds */
  now: () => number
}

const lifetimeMs = 300_000

const getOpenApiRoute = createRoute({
  method: 'get',
  path: '/openapi.json',
  tags: ['Service'],
  summary: 'This document',
  description: 'Made of the schemas that validate the requests, by the Workers that answer them.',
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
    304: { description: 'the document is as `If-None-Match` says' },
    ...errorResponses('InternalServerError', 'RateLimited', 'ServiceUnavailable'),
  },
})

/** `GET /openapi.json`: made at most once in five minutes, and never kept when a Worker could not be asked. */
export const getOpenApi = ({ findDocument, now }: OpenApiDeps) => {
  const findKept = keepFor(lifetimeMs, now, findDocument)
  return createApp().openapi(getOpenApiRoute, async (c) =>
    c.json(await findKept(), 200, { 'Cache-Control': cachePolicies.service }),
  )
}
