import { logEntry } from '#shared/http/logEntry.ts'
import type { Gateway } from '../createGateway.ts'
import { type CacheKey, findCacheKey } from './findCacheKey.ts'
import { parseCachePolicy } from './parseCachePolicy.ts'

/** What this takes of the platform's `ExecutionContext`. */
export type PlatformContext = {
  waitUntil: (work: Promise<unknown>) => void
  /** this Worker's own entrypoints, each behind its cache */
  exports?: { default?: { fetch: (request: Request) => Promise<Response> } }
  cache?: { purge: (options: { tags: string[] }) => Promise<{ success: boolean; errors: { message: string }[] }> }
}

/** What only the platform's cache reads, and takes away before the answer leaves. */
const policyHeader = 'Cloudflare-CDN-Cache-Control'

/**
 * The gateway behind Workers Cache, which knows paths and queries by their letters and has answered already what it keeps
 * under them. Another spelling of a read that may be kept asks this Worker again by the one spelling, through the cache, and is
 * itself not kept. Everything that reaches the cache says explicitly whether it may be kept.
 */
export const answerOnPlatform = async (
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
    return toUnkept(await self.fetch(new Request(new URL(key.url, url), request)))
  }
  const response = await gateway(request, { waitUntil, purge })
  return key ? toKept(response, key) : toUnkept(response)
}

const toUnkept = (answer: Response): Response => {
  const response = new Response(answer.body, answer)
  response.headers.set(policyHeader, 'no-store')
  return response
}

/** Without a `stale-if-error` the platform would answer what is stale for as long as errors last. */
const toKept = (answer: Response, { tags }: CacheKey): Response => {
  const policy = answer.headers.get('Cache-Control') ?? ''
  if (!parseCachePolicy(policy)) return toUnkept(answer)
  const response = new Response(answer.body, answer)
  response.headers.set(policyHeader, policy.includes('stale-if-error') ? policy : `${policy}, stale-if-error=0`)
  if (tags.length > 0) response.headers.set('Cache-Tag', tags.join(','))
  return response
}

const purgeByTags = async ({ cache }: PlatformContext, tags: string[]): Promise<void> => {
  const result = await cache?.purge({ tags })
  if (result && !result.success)
    logEntry({ message: 'kept answers were not purged', tags, cause: result.errors[0]?.message ?? 'unknown' })
}
