import { createRoute, z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { hashSchema } from '#shared/validation/hex.ts'

export type GetAppDataDeps = {
  selectAppData: (hash: Hex) => Promise<string | undefined>
}

const getAppDataRoute = createRoute({
  method: 'get',
  path: '/api/v1/app_data/{hash}',
  tags: ['App data'],
  summary: 'Read an app data document',
  description: 'The document behind a hash, byte for byte as it was uploaded.',
  request: { params: z.object({ hash: hashSchema }) },
  responses: {
    200: {
      description: 'the document',
      content: { 'application/json': { schema: z.object({ fullAppData: z.string() }) } },
    },
    ...errorResponses('InvalidParameter', 'NotFound', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/app_data/{hash}`: a document never changes under its hash. */
export const getAppData = (deps: GetAppDataDeps) =>
  createApp().openapi(getAppDataRoute, async (c) => {
    const { hash } = c.req.valid('param')
    const fullAppData = await deps.selectAppData(hash)
    if (fullAppData === undefined) {
      throw new ApiError('NotFound', { description: 'full app data not found', data: { hash } })
    }
    c.header('Cache-Control', cachePolicies.immutable)
    return c.json({ fullAppData }, 200)
  })
