import { findNetwork } from '#shared/networks.ts'
import { type CacheKey, findCacheKey } from './caching/findCacheKey.ts'
import { findPathTemplate } from './findPathTemplate.ts'
import { findSharedGroup } from './findSharedGroup.ts'
import { routeToWorker } from './routeToWorker.ts'
import { withoutSlash } from './withoutSlash.ts'

/** What a URL is about: the same for everybody who asks. */
export type Target = {
  /** what its answer is kept under; undefined when it never is kept */
  key: CacheKey | undefined
  /** as the log names it, without what a client put in */
  network: string | null
  group: string
  route: string | null
}

/** As many as there are answers in the cache. */
const maxKnown = 10_000
/** No URL of a kept answer is longer, unless somebody tries to fill the memory. */
const maxKnownLength = 512

/** Finds what a URL is about, once for those that are asked for again and again: those whose answers may be kept. */
export const createTargetFinder = (): ((url: string) => Target) => {
  const known = new Map<string, Target>()
  return (url) => {
    const seen = known.get(url)
    if (seen) return seen
    const target = findTarget(new URL(url))
    if (!target.key || url.length > maxKnownLength) return target
    if (known.size >= maxKnown) known.clear()
    known.set(url, target)
    return target
  }
}

const findTarget = (url: URL): Target => {
  const pathname = withoutSlash(url.pathname)
  return {
    key: findCacheKey(url),
    network: findNetwork(pathname.split('/', 2)[1] ?? '')?.name ?? null,
    group: routeToWorker(pathname)?.group ?? findSharedGroup(pathname) ?? 'gateway',
    route: findPathTemplate(pathname),
  }
}
