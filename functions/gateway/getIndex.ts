import { createRoute, z } from '@hono/zod-openapi'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import type { Workers } from './connectWorkers.ts'

const indexSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  networks: z
    .array(
      z.object({
        name: z.string(),
        chainId: z.number().int(),
        path: z.string().openapi({ description: 'under which its order book answers', example: '/sepolia/api/v1' }),
      }),
    )
    .openapi({ description: 'those served here' }),
  links: z.record(z.string(), z.string()),
})

const getIndexRoute = createRoute({
  method: 'get',
  path: '/',
  tags: ['Service'],
  summary: 'What is served here',
  description: 'Name and version of this deployment, its networks, and where to go on.',
  responses: {
    200: { description: 'the index', content: { 'application/json': { schema: indexSchema } } },
    ...errorResponses('RateLimited'),
  },
})

/** `GET /`: for people and programs that know only the base URL. */
export const getIndex = (workers: Workers, version: string) =>
  createApp().openapi(getIndexRoute, (c) =>
    c.json(
      {
        name: 'edgebook',
        version,
        description: 'trade ERC-20 tokens with signed orders that competing solvers settle on-chain',
        networks: (Object.keys(workers) as NetworkName[]).map((name) => ({
          name,
          chainId: networks[name].chainId,
          path: `/${name}/api/v1`,
        })),
        links: {
          health: '/healthz',
          readiness: '/readyz',
          status: '/status.json',
          limits: '/limits',
          openapi: '/openapi.json',
          docs: '/docs',
        },
      },
      200,
    ),
  )
