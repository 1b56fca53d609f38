import { createRoute, z } from '@hono/zod-openapi'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { type RateLimitName, type RateLimits, rateLimitNames } from './rateLimits.ts'

const rateLimitsSchema = z.array(
  z.object({
    name: z.enum(rateLimitNames).openapi({ description: 'as `RateLimit-Policy` and the `data` of a 429 name it' }),
    covers: z.string(),
    requests: z
      .number()
      .int()
      .openapi({ description: 'of one client on one network, counted in each location of the platform' }),
    seconds: z.number().int(),
  }),
)

const limitsSchema = z.object({
  rateLimits: rateLimitsSchema.openapi({ description: 'those in force here; empty when nothing is counted' }),
  tiers: z.array(z.object({ name: z.string(), rateLimits: rateLimitsSchema })).openapi({
    description:
      'what holders of an API key may send instead, counted by key and network; `RateLimit-Policy` names it as `<tier>-<name>`',
  }),
})

const getLimitsRoute = createRoute({
  method: 'get',
  path: '/limits',
  tags: ['Service'],
  summary: 'How many requests a client may send',
  description:
    'A client is an IPv4 address or an IPv6 network of 64 bits; each network counts apart, and so do all paths that name none. Answers under a limit name it in `RateLimit-Policy`; one request too many is a 429 `RateLimited` with `Retry-After`. `X-API-Key` counts under the limits of its tier; an unknown key is treated as none. What is answered from a cache is not counted.',
  responses: {
    200: { description: 'the rate limits', content: { 'application/json': { schema: limitsSchema } } },
    ...errorResponses('RateLimited'),
  },
})

const covers: Record<RateLimitName, string> = {
  quotes: 'POST quote, quote/stream and tokens/prices, native prices and metadata of tokens, dry runs',
  submissions: 'POST and DELETE orders and subscriptions, PUT app_data, POST affiliate',
  reads: 'everything else',
}

/** `GET /limits` */
export const getLimits = ({ active, tiers }: RateLimits) => {
  const list = (limits: RateLimits['active']) =>
    rateLimitNames.flatMap((name) => {
      const limit = limits[name]
      return limit ? [{ name, covers: covers[name], requests: limit.requests, seconds: limit.seconds }] : []
    })
  const body = {
    rateLimits: list(active),
    tiers: Object.entries(tiers).map(([name, limits]) => ({ name, rateLimits: list(limits) })),
  }
  return createApp().openapi(getLimitsRoute, (c) => c.json(body, 200, { 'Cache-Control': cachePolicies.service }))
}
