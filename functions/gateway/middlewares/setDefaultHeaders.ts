import type { MiddlewareHandler } from 'hono'
import { cachePolicies } from '#shared/http/cachePolicies.ts'

/**
 * Completes the headers of a response: `Cache-Control` is never absent, a 503 states when to retry, and behind a cache
 * `CF-Cache-Status` reports that the response is not cached.
 */
export const setDefaultHeaders =
  ({ isCaching }: { isCaching: boolean }): MiddlewareHandler =>
  async (c, next) => {
    await next()
    const { headers, status } = c.res
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', cachePolicies.noStore)
    if (status === 503 && !headers.has('Retry-After')) headers.set('Retry-After', '1')
    if (isCaching && !headers.has('CF-Cache-Status')) headers.set('CF-Cache-Status', 'DYNAMIC')
  }
