import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { rateLimitNames } from '#shared/api/routes.ts'
import { cacheFor } from '#shared/cacheFor.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import type { RateLimits } from '../limits/rateLimits.ts'
import { type DeployedWorkers, findReadiness } from './findReadiness.ts'

const readinessSchema = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    workers: z
      .record(
        z.string(),
        z.object({
          status: z.enum(['ok', 'missing', 'silent', 'unavailable']),
          answer: z
            .object({
              dependencies: z.record(z.string(), z.enum(['ok', 'unavailable'])).optional(),
              reasons: z
                .record(z.string(), z.string())
                .optional()
                .openapi({ description: 'known reasons, by dependency' }),
              settings: z.array(z.string()).optional().openapi({ description: 'faults of the settings' }),
            })
            .optional()
            .openapi({ description: 'details of an unavailable Worker' }),
          pauses: z
            .array(z.string())
            .optional()
            .openapi({ description: 'what the operator has paused on the network; it stays ready' }),
        }),
      )
      .openapi({ description: 'by group and network, for example orders-sepolia' }),
    rateLimits: z
      .record(z.enum(rateLimitNames), z.string())
      .openapi({ description: '`on`, or `off` with the reason; a disabled limit never rejects' }),
  })
  .openapi('Readiness')

const content = { 'application/json': { schema: readinessSchema } }

const getReadinessRoute = createRoute({
  ...endpoint('getReadiness'),
  tags: ['Service'],
  summary: 'Readiness of every Worker and its dependencies',
  description:
    'Checks every Worker of every network, which in turn check their database, their node and the solvers of this deployment. Results are cached for one second.',
  responses: {
    200: { description: 'all Workers are ready', content },
    503: { description: 'at least one Worker is not ready', content },
    ...errorResponses('RateLimited'),
  },
})

const lifetimeMs = 1_000

export type ReadinessDeps = {
  deployed: DeployedWorkers
  rateLimits: RateLimits
  /** a Worker that takes longer is `silent` */
  timeoutMs: number
  /** milliseconds */
  now: () => number
}

/** `GET /readyz`: cached, so that requests in a loop do not exhaust the quota of a node provider. */
export const getReadiness = ({ deployed, rateLimits, timeoutMs, now }: ReadinessDeps) => {
  const findCached = cacheFor(lifetimeMs, now, () => findReadiness(deployed, timeoutMs))
  return createApp().openapi(getReadinessRoute, async (c) => {
    const readiness = await findCached()
    return c.json({ ...readiness, rateLimits: rateLimits.states }, readiness.status === 'ok' ? 200 : 503)
  })
}
