import type { MiddlewareHandler } from 'hono'
import { isSharedRead } from '../caching/isSharedRead.ts'
import type { GatewayEnv } from '../gatewayEnv.ts'
import type { RouteTarget } from '../routing/createTargetFinder.ts'

/** Finds the row of the route table, the network and the cache key of a request. */
export const setTarget =
  (findTarget: (url: string) => RouteTarget): MiddlewareHandler<GatewayEnv> =>
  async (c, next) => {
    const target = findTarget(c.req.url)
    c.set('target', target)
    c.set('cacheKey', isSharedRead(c.req.raw) ? target.key : undefined)
    await next()
  }
