import { createRoute, z } from '@hono/zod-openapi'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'

const getHealthRoute = createRoute({
  method: 'get',
  path: '/healthz',
  tags: ['Service'],
  summary: 'Whether the gateway runs',
  description: 'Answers without asking anything else.',
  responses: {
    200: {
      description: 'it runs',
      content: { 'application/json': { schema: z.object({ status: z.literal('ok') }) } },
    },
    ...errorResponses('RateLimited'),
  },
})

/** `GET /healthz` */
export const getHealth = () => createApp().openapi(getHealthRoute, (c) => c.json({ status: 'ok' as const }, 200))
