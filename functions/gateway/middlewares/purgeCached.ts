import type { MiddlewareHandler } from 'hono'
import type { EdgeCache } from '../caching/createEdgeCache.ts'
import { findContext, type GatewayEnv } from '../gatewayEnv.ts'

/** Purges the tags in the internal header `Cache-Purge` of a Worker's response, and removes the header. */
export const purgeCached =
  (cache: EdgeCache | undefined): MiddlewareHandler<GatewayEnv> =>
  async (c, next) => {
    await next()
    const tags = c.res.headers.get('Cache-Purge')
    if (tags === null) return
    c.res.headers.delete('Cache-Purge')
    const { purge = cache?.purge } = findContext(c)
    purge?.(tags.split(',').map((tag) => tag.trim()))
  }
