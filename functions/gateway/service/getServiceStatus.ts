import { createRoute } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import type { Workers } from '../routing/connectWorkers.ts'
import { findStatus, statusSchema } from './findStatus.ts'

const getStatusRoute = createRoute({
  ...endpoint('getStatus'),
  operationId: 'getStatus',
  tags: ['Service'],
  summary: 'Status of all networks',
  description:
    'The `/{network}/status.json` of each network; a network that does not respond within three seconds is `unavailable`.',
  responses: {
    200: { description: 'the status', content: { 'application/json': { schema: statusSchema } } },
    ...errorResponses('RateLimited'),
  },
})

const timeoutMs = 3_000

/** `GET /status.json` */
export const getServiceStatus = (workers: Workers, version: string) =>
  createApp().openapi(getStatusRoute, async (c) => {
    const status = await findStatus({ workers, version, now: Date.now }, timeoutMs)
    return c.json(status, 200, { 'Cache-Control': cachePolicies.status })
  })
