import { createRoute } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { describeError } from '#shared/http/describeError.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'

const getReadyRoute = createRoute({
  ...endpoint('getReady'),
  tags: ['Service'],
  summary: 'Readiness of the order book',
  description:
    'An empty response while the database responds. `/readyz` of the gateway covers every Worker and its dependencies.',
  responses: { 200: { description: 'ready' }, ...errorResponses('ServiceUnavailable') },
})

/** `GET /{network}/api/v1/ready`: readiness as the public order book reports it. */
export const getReady = (database: Database) =>
  createApp().openapi(getReadyRoute, async (c) => {
    try {
      await checkDatabase(database)
    } catch (error) {
      throw new ApiError('ServiceUnavailable', { context: { cause: describeError(error) } })
    }
    return c.body(null, 200)
  })
