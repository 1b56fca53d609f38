import { createRoute, z } from '@hono/zod-openapi'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { keepFor } from '#shared/keepFor.ts'
import { type DeployedWorkers, findReadiness } from './findReadiness.ts'
import { type RateLimits, rateLimitNames } from './rateLimits.ts'

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
                .openapi({ description: 'why a dependency is unavailable, where that is known' }),
              settings: z.array(z.string()).optional().openapi({ description: 'what is wrong with them' }),
            })
            .optional()
            .openapi({ description: 'why a Worker is unavailable' }),
        }),
      )
      .openapi({ description: 'by group and network: orders-sepolia' }),
    rateLimits: z
      .record(z.enum(rateLimitNames), z.string())
      .openapi({ description: '`on`, or `off` and why; a limit that is off keeps nobody out' }),
  })
  .openapi('Readiness')

const content = { 'application/json': { schema: readinessSchema } }

const getReadinessRoute = createRoute({
  method: 'get',
  path: '/readyz',
  tags: ['Service'],
  summary: 'Whether every part can work',
  description:
    'Asks every Worker of every network, and those ask their database, their node and the solvers of this deployment; at most a second old, however many ask.',
  responses: {
    200: { description: 'all are ready', content },
    503: { description: 'at least one is not', content },
    ...errorResponses('RateLimited'),
  },
})

const lifetimeMs = 1_000

export type ReadinessDeps = {
  deployed: DeployedWorkers
  rateLimits: RateLimits
  /** after which a Worker counts as silent */
  timeoutMs: number
  /** milliseconds */
  now: () => number
}

/** `GET /readyz`: a stranger who asks in a loop must not use up the plan of a node. */
export const getReadiness = ({ deployed, rateLimits, timeoutMs, now }: ReadinessDeps) => {
  const findKept = keepFor(lifetimeMs, now, () => findReadiness(deployed, timeoutMs))
  return createApp().openapi(getReadinessRoute, async (c) => {
    const readiness = await findKept()
    return c.json({ ...readiness, rateLimits: rateLimits.states }, readiness.status === 'ok' ? 200 : 503)
  })
}
