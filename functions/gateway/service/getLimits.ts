import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { type RateLimitName, rateLimitNames, routes } from '#shared/api/routes.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import type { RateLimits } from '../limits/rateLimits.ts'

const rateLimitsSchema = z.array(
  z.object({
    name: z.enum(rateLimitNames).openapi({ description: 'name in `RateLimit-Policy` and in the `data` of a 429' }),
    covers: z.string(),
    requests: z
      .number()
      .int()
      .openapi({ description: 'requests per client and network, counted separately in each location of the platform' }),
    seconds: z.number().int(),
  }),
)

const limitsSchema = z.object({
  rateLimits: rateLimitsSchema.openapi({ description: 'active limits; empty when rate limits are disabled' }),
  tiers: z.array(z.object({ name: z.string(), rateLimits: rateLimitsSchema })).openapi({
    description:
      'limits that replace those above for holders of an API key, counted per key and network; `RateLimit-Policy` has the name `<tier>-<name>`',
  }),
})

const getLimitsRoute = createRoute({
  ...endpoint('getLimits'),
  tags: ['Service'],
  summary: 'Rate limits',
  description:
    'A client is an IPv4 address or an IPv6 /64 network. Requests are counted per network; all paths without a network share one counter. Responses name their limit in `RateLimit-Policy`; requests above it get 429 `RateLimited` with `Retry-After`. Requests with an `X-API-Key` have the limits of its tier; unknown keys are ignored. Responses from a cache are not counted.',
  responses: {
    200: { description: 'the rate limits', content: { 'application/json': { schema: limitsSchema } } },
    ...errorResponses('RateLimited'),
  },
})

const describeCovered = (name: RateLimitName): string =>
  name === 'reads'
    ? 'all other requests'
    : Object.values(routes)
        .filter(({ limit }) => limit === name)
        .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
        .join(', ')

/** `GET /limits` */
export const getLimits = ({ active, tiers }: RateLimits) => {
  const list = (limits: RateLimits['active']) =>
    rateLimitNames.flatMap((name) => {
      const limit = limits[name]
      return limit ? [{ name, covers: describeCovered(name), requests: limit.requests, seconds: limit.seconds }] : []
    })
  const body = {
    rateLimits: list(active),
    tiers: Object.entries(tiers).map(([name, limits]) => ({ name, rateLimits: list(limits) })),
  }
  return createApp().openapi(getLimitsRoute, (c) => c.json(body, 200, { 'Cache-Control': cachePolicies.service }))
}
