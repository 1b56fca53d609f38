import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'

const getVersionRoute = createRoute({
  ...endpoint('getVersion'),
  tags: ['Service'],
  summary: 'Read the version',
  description: 'The version of this deployment, as plain text.',
  responses: { 200: { description: 'the version', content: { 'text/plain': { schema: z.string() } } } },
})

/** `GET /{network}/api/v1/version`: plain text, as clients of this kind of system read it. */
export const getVersion = (version: string) => createApp().openapi(getVersionRoute, (c) => c.text(version, 200))
