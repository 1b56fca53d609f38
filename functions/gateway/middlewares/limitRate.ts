import type { MiddlewareHandler } from 'hono'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import { toErrorResponse } from '#shared/http/createApp.ts'
import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { describeExcess, formatQuota, quotaHeader } from '#shared/http/quota.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { parseCachePolicy } from '../caching/parseCachePolicy.ts'
import type { GatewayEnv } from '../gatewayEnv.ts'
import type { RateLimit, RateLimits } from '../limits/rateLimits.ts'
import { clientAddressHeader } from '../limits/readClientAddress.ts'
import { findErrorFormat } from '../routing/findErrorFormat.ts'
import { findLimitName } from '../routing/findLimitName.ts'

/**
 * Rejects requests above the rate limit of a client with 429 `RateLimited`, before any other work. Responses name their
 * limit in `RateLimit-Policy`; a rejection has the length of the window in `Retry-After`, when the full quota is
 * available again (header fields of draft-ietf-httpapi-ratelimit-headers). Holders of an API key are counted by key,
 * with the limits of its tier; unknown keys are ignored. Counters are per network; paths without one share a counter.
 * Cacheable responses name no limit, because other clients receive them, too.
 */
export const limitRate =
  (limits: RateLimits): MiddlewareHandler<GatewayEnv> =>
  async (c, next) => {
    const { route, network } = c.var.target
    const name = findLimitName(c.req.method, route)
    const holder = await limits.findKeyHolder(c.req.header('X-API-Key'))
    const ofTier = holder && limits.tiers[holder.tier]?.[name]
    const limit = ofTier ?? limits.active[name]
    if (!limit) return next()
    const { requests, seconds } = limit
    const policy = ofTier ? `${holder.tier}-${name}` : name
    const client = ofTier ? holder.client : computeClientKey(c.req.header(clientAddressHeader))
    const isAllowed = await isBelowLimit(limit, `${network?.name ?? 'shared'}:${client}`)
    // a WebSocket counts the messages of its client by the same quota
    if (c.req.header('Upgrade')) c.req.raw.headers.set(quotaHeader, formatQuota(limit))
    if (isAllowed) await next()
    if (isAllowed && parseCachePolicy(c.res.headers.get('Cache-Control'))) return
    c.header('RateLimit-Policy', `"${policy}";q=${requests};w=${seconds}`)
    if (isAllowed) return
    c.header('RateLimit', `"${policy}";r=0;t=${seconds}`)
    c.header('Retry-After', String(seconds))
    const { description, data } = describeExcess(name, limit)
    const error = new ApiError('RateLimited', {
      description,
      data: { ...data, ...(ofTier ? { tier: holder.tier } : {}) },
    })
    return toErrorResponse(c, error, findErrorFormat(new URL(c.req.url).pathname))
  }

/** Fails open: an unavailable limiter lets requests through. */
const isBelowLimit = async ({ name, isAllowed }: RateLimit, client: string): Promise<boolean> => {
  try {
    return await isAllowed(client)
  } catch (error) {
    logEntry({ message: 'rate limiter failed', limit: name, cause: describeError(error) })
    return true
  }
}
