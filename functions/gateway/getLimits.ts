import { createRoute, z } from '@hono/zod-openapi'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { type RateLimitName, type RateLimits, rateLimitNames } from './rateLimits.ts'

const limitsSchema = z.object({
  rateLimits: z
    .array(
      z.object({
        name: z.enum(rateLimitNames).openapi({ description: 'as `RateLimit-Policy` and the `data` of a 429 name it' }),
        covers: z.string(),
        requests: z.number().int().openapi({ description: 'of one client, counted in each location of the platform' }),
        seconds: z.number().int(),
      }),
    )
    .openapi({ description: 'those in force here; empty when nothing is counted' }),
})

const getLimitsRoute = createRoute({
  method: 'get',
  path: '/limits',
  tags: ['Service'],
  summary: 'How many requests a client may send',
  description:
    'A client is an IPv4 address or an IPv6 network of 64 bits. Answers under a limit name it in `RateLimit-Policy`; one request too many is a 429 `RateLimited` with `Retry-After`.',
  responses: {
    200: { description: 'the rate limits', content: { 'application/json': { schema: limitsSchema } } },
    ...errorResponses('RateLimited'),
  },
})

const covers: Record<RateLimitName, string> = {
  quotes: 'POST quote and quote/stream, token prices, dry runs of orders',
  submissions: 'POST and DELETE orders, PUT app_data',
  reads: 'everything else',
}

/** `GET /limits` */
export const getLimits = ({ active }: RateLimits) => {
  const rateLimits = rateLimitNames.flatMap((name) => {
    const limit = active[name]
    return limit ? [{ name, covers: covers[name], requests: limit.requests, seconds: limit.seconds }] : []
  })
  return createApp().openapi(getLimitsRoute, (c) =>
    c.json({ rateLimits }, 200, { 'Cache-Control': 'public, max-age=300' }),
  )
}
