import type { MiddlewareHandler } from 'hono'
import type { EdgeCache } from '../caching/createEdgeCache.ts'
import type { LoadCanonical } from '../caching/loadCanonical.ts'
import { nameIgnored } from '../caching/nameIgnored.ts'
import { findContext, type GatewayEnv } from '../gatewayEnv.ts'

/** Serves concurrent requests for a cacheable response with one upstream request, and caches the response. */
export const shareResponse =
  (cache: EdgeCache | undefined, load: LoadCanonical): MiddlewareHandler<GatewayEnv> =>
  async (c, next) => {
    const { cacheKey: key, requestId } = c.var
    if (!cache || !key) return next()
    const response = await cache.fill(key, c.req.raw, () => load(key, c.req.raw, requestId), findContext(c).waitUntil)
    return nameIgnored(response, key)
  }
