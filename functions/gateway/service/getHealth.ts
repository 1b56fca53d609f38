import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'

const getHealthRoute = createRoute({
  ...endpoint('getHealth'),
  tags: ['Service'],
  summary: 'Liveness',
  description: 'Liveness only; checks no dependency.',
  responses: {
    200: {
      description: 'the gateway is running',
      content: { 'application/json': { schema: z.object({ status: z.literal('ok') }) } },
    },
    ...errorResponses('RateLimited'),
  },
})

/** `GET /healthz` */
export const getHealth = () => createApp().openapi(getHealthRoute, (c) => c.json({ status: 'ok' as const }, 200))
