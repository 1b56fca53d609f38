import { logEntry } from '#shared/logging/logEntry.ts'
import type { Gateway } from '../createGateway.ts'
import { type CacheKey, findCacheKey } from './findCacheKey.ts'
import { nameIgnored } from './nameIgnored.ts'
import { parseCachePolicy } from './parseCachePolicy.ts'

/** The parts of the platform's `ExecutionContext` that are used here. */
export type PlatformContext = {
  waitUntil: (work: Promise<unknown>) => void
  /** this Worker's own entrypoints, each behind the platform's cache */
  exports?: { default?: { fetch: (request: Request) => Promise<Response> } }
  cache?: { purge: (options: { tags: string[] }) => Promise<{ success: boolean; errors: { message: string }[] }> }
}

/** Read and removed by the platform's cache. */
const policyHeader = 'Cloudflare-CDN-Cache-Control'

/**
 * The gateway behind Workers Cache, which keys responses by the literal path and query, and serves cached ones before
 * this Worker runs. A cacheable request in another spelling is repeated through the cache in its canonical spelling,
 * and the outer response is not cached. Every response states explicitly whether it may be cached.
 */
export const respondOnPlatform = async (
  gateway: Gateway,
  request: Request,
  context: PlatformContext,
): Promise<Response> => {
  const waitUntil = (work: Promise<unknown>) => context.waitUntil(work)
  const purge = (tags: string[]) => waitUntil(purgeByTags(context, tags))
  if (request.method !== 'GET' && request.method !== 'HEAD') return gateway(request, { waitUntil, purge })
  const url = new URL(request.url)
  const key = request.headers.has('Authorization') ? undefined : findCacheKey(url)
  const self = context.exports?.default
  if (key && self && key.url !== url.pathname + url.search) {
    return nameIgnored(toUncached(await self.fetch(new Request(new URL(key.url, url), request))), key)
  }
  const response = await gateway(request, { waitUntil, purge })
  return key ? toCached(response, key) : toUncached(response)
}

const toUncached = (original: Response): Response => {
  const response = new Response(original.body, original)
  response.headers.set(policyHeader, 'no-store')
  return response
}

/** Without `stale-if-error` the platform would serve stale responses for as long as errors last. */
const toCached = (original: Response, { tags }: CacheKey): Response => {
  const policy = original.headers.get('Cache-Control') ?? ''
  if (!parseCachePolicy(policy)) return toUncached(original)
  const response = new Response(original.body, original)
  response.headers.set(policyHeader, policy.includes('stale-if-error') ? policy : `${policy}, stale-if-error=0`)
  if (tags.length > 0) response.headers.set('Cache-Tag', tags.join(','))
  return response
}

const purgeByTags = async ({ cache }: PlatformContext, tags: string[]): Promise<void> => {
  const result = await cache?.purge({ tags })
  if (result && !result.success)
    logEntry({ message: 'cached responses were not purged', tags, cause: result.errors[0]?.message ?? 'unknown' })
}
