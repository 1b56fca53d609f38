import type { MiddlewareHandler } from 'hono'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import { toErrorResponse } from '#shared/http/createApp.ts'
import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { findErrorFormat } from './findErrorFormat.ts'
import type { RateLimit, RateLimits } from './rateLimits.ts'
import { routeToRateLimit } from './routeToRateLimit.ts'

/**
 * Answers 429 `RateLimited` to what a client asks too often, before anything else looks at it. Answers under a limit name
 * it in `RateLimit-Policy`; a refusal says in `Retry-After` when the whole quota is there again, whatever was used of it
 * (the header fields of draft-ietf-httpapi-ratelimit-headers).
 */
export const limitRate =
  ({ active }: RateLimits): MiddlewareHandler =>
  async (c, next) => {
    const { pathname } = new URL(c.req.url)
    const limit = active[routeToRateLimit(c.req.method, pathname)]
    if (!limit) return next()
    const { name, requests, seconds } = limit
    const isAllowed = await ask(limit, computeClientKey(c.req.header('CF-Connecting-IP')))
    if (isAllowed) await next()
    c.header('RateLimit-Policy', `"${name}";q=${requests};w=${seconds}`)
    if (isAllowed) return
    c.header('RateLimit', `"${name}";r=0;t=${seconds}`)
    c.header('Retry-After', String(seconds))
    const error = new ApiError('RateLimited', {
      description: `more than ${requests} requests in ${seconds} seconds`,
      data: { limit: name, requests, seconds },
    })
    return toErrorResponse(c, error, findErrorFormat(pathname))
  }

/** A limit that fails keeps nobody out. */
const ask = async ({ name, isAllowed }: RateLimit, client: string): Promise<boolean> => {
  try {
    return await isAllowed(client)
  } catch (error) {
    console.error(JSON.stringify({ message: 'a rate limit fails', limit: name, cause: describeError(error) }))
    return true
  }
}
