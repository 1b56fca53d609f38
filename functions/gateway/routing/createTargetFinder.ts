import { findNetwork, type Network } from '#shared/networks.ts'
import { type CacheKey, findCacheKey } from '../caching/findCacheKey.ts'
import { findRoute, type PathRoutes } from './findRoute.ts'

/** The target of a URL, independent of the client. */
export type RouteTarget = {
  /** undefined when the route table has no such path */
  route: PathRoutes | undefined
  /** named by the first segment */
  network: Network | undefined
  /** cache key; undefined when the path is not cacheable */
  key: CacheKey | undefined
}

/** The capacity of the cache. */
const maxKnown = 10_000
/** No canonical URL of a cacheable response is longer; bounds memory. */
const maxKnownLength = 512
/** Lifetime of all entries, so that memory does not grow with URLs that are no longer requested. */
const forgetMs = 60_000

/**
 * Finds the target of a URL, memoised for cacheable ones.
 * @param now milliseconds
 */
export const createTargetFinder = (now: () => number): ((url: string) => RouteTarget) => {
  const known = new Map<string, RouteTarget>()
  let forgotAt = now()
  return (url) => {
    const seen = known.get(url)
    if (seen) return seen
    const target = findTarget(new URL(url))
    if (!target.key || url.length > maxKnownLength) return target
    if (known.size >= maxKnown || now() - forgotAt >= forgetMs) {
      known.clear()
      forgotAt = now()
    }
    known.set(url, target)
    return target
  }
}

const findTarget = (url: URL): RouteTarget => ({
  route: findRoute(url.pathname),
  network: findNetwork(url.pathname.split('/', 2)[1] ?? ''),
  key: findCacheKey(url),
})
