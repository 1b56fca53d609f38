import type { Context } from 'hono'
import type { WaitUntil } from './caching/createEdgeCache.ts'
import type { CacheKey } from './caching/findCacheKey.ts'
import type { RouteTarget } from './routing/createTargetFinder.ts'

/** Platform functions of one request. */
export type GatewayContext = {
  waitUntil: WaitUntil
  /** purges cached responses with these tags from the platform's cache */
  purge?: (tags: string[]) => void
}

/** Facts of a request, each set by the middleware of the same name. */
export type GatewayEnv = {
  Variables: {
    requestId: string
    target: RouteTarget
    /** undefined when no shared cache may respond */
    cacheKey: CacheKey | undefined
  }
}

/** The platform functions, in Hono's execution context. */
export const findContext = (c: Context): GatewayContext => c.executionCtx
