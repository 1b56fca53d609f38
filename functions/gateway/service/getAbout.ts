import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'

const getAboutRoute = createRoute({
  ...endpoint('getAbout'),
  tags: ['Service'],
  summary: 'Name and version',
  description: 'Name and version of this deployment, in the shape of the public auxiliary API.',
  responses: {
    200: {
      description: 'name and version',
      content: { 'application/json': { schema: z.object({ name: z.string(), version: z.string() }) } },
    },
    ...errorResponses('RateLimited'),
  },
})

/** `GET /about` */
export const getAbout = (version: string) =>
  createApp().openapi(getAboutRoute, (c) => c.json({ name: 'edgebook', version }, 200))
