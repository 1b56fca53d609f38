import type { MiddlewareHandler } from 'hono'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import { toErrorResponse } from '#shared/http/createApp.ts'
import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { logEntry } from '#shared/http/logEntry.ts'
import { findNetwork } from '#shared/networks.ts'
import { parseCachePolicy } from './caching/parseCachePolicy.ts'
import { findErrorFormat } from './findErrorFormat.ts'
import type { RateLimit, RateLimits } from './rateLimits.ts'
import { clientAddressHeader } from './readClientAddress.ts'
import { routeToRateLimit } from './routeToRateLimit.ts'

/**
 * Answers 429 `RateLimited` to what a client asks too often, before anything else looks at it. Answers under a limit name
 * it in `RateLimit-Policy`; a refusal says in `Retry-After` when the whole quota is there again, whatever was used of it
 * (the header fields of draft-ietf-httpapi-ratelimit-headers). Who has an API key of a tier is counted by it, with the
 * limits of that tier; an unknown key is none. Every network counts for itself, and so does what belongs to none. What caches
 * may keep names no limit, since others get it, too.
 */
export const limitRate =
  (limits: RateLimits): MiddlewareHandler =>
  async (c, next) => {
    const { pathname } = new URL(c.req.url)
    const name = routeToRateLimit(c.req.method, pathname)
    const holder = await limits.findKeyHolder(c.req.header('X-API-Key'))
    const ofTier = holder && limits.tiers[holder.tier]?.[name]
    const limit = ofTier ?? limits.active[name]
    if (!limit) return next()
    const { requests, seconds } = limit
    const policy = ofTier ? `${holder.tier}-${name}` : name
    const client = ofTier ? holder.client : computeClientKey(c.req.header(clientAddressHeader))
    const isAllowed = await ask(limit, `${findScope(pathname)}:${client}`)
    if (isAllowed) await next()
    if (isAllowed && parseCachePolicy(c.res.headers.get('Cache-Control'))) return
    c.header('RateLimit-Policy', `"${policy}";q=${requests};w=${seconds}`)
    if (isAllowed) return
    c.header('RateLimit', `"${policy}";r=0;t=${seconds}`)
    c.header('Retry-After', String(seconds))
    const error = new ApiError('RateLimited', {
      description: `more than ${requests} requests in ${seconds} seconds`,
      data: { limit: name, requests, seconds, ...(ofTier ? { tier: holder.tier } : {}) },
    })
    return toErrorResponse(c, error, findErrorFormat(pathname))
  }

/** The network that a path names, in its one spelling. */
const findScope = (pathname: string): string => findNetwork(pathname.split('/', 2)[1] ?? '')?.name ?? 'shared'

/** A limit that fails keeps nobody out. */
const ask = async ({ name, isAllowed }: RateLimit, client: string): Promise<boolean> => {
  try {
    return await isAllowed(client)
  } catch (error) {
    logEntry({ message: 'a rate limit fails', limit: name, cause: describeError(error) })
    return true
  }
}
