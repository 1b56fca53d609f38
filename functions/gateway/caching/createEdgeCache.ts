import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { matchesEtag } from '#shared/http/matchesEtag.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { type CachedResponse, createCacheStore } from './createCacheStore.ts'
import type { CacheKey } from './findCacheKey.ts'
import { parseCachePolicy } from './parseCachePolicy.ts'

/** Requests the full response from its source. */
export type Load = () => Promise<Response>
export type WaitUntil = (work: Promise<unknown>) => void

/** Outcome of a shared request. */
type Outcome = { cached?: CachedResponse | undefined; hasFailed: boolean }

export type EdgeCache = {
  /** the response when it is cached; `load` is called only to revalidate it in the background */
  find: (key: CacheKey, request: Request, load: Load, waitUntil: WaitUntil) => Response | undefined
  /**
   * requests the response, once for all concurrent requests, and caches it when its policy allows
   * @throws ApiError `ServiceUnavailable` when the shared request failed after a long wait; errors of `load`
   */
  fill: (key: CacheKey, request: Request, load: Load, waitUntil: WaitUntil) => Promise<Response>
  purge: (tags: readonly string[]) => void
}

const limits = { maxEntries: 10_000, maxBytes: 32 * 1024 * 1024 }
const maxBodyBytes = 1024 * 1024
/** How long a request waits for the same request of another client before it is sent itself. */
const maxWaitMs = 10_000
/** How often a request joins one in flight before it is sent itself, or fails when those in shared did not finish. */
const maxJoined = 2
/** A request that waited longer than this for a shared failure fails, too: a retry would take as long again. */
const patienceMs = 1_000
/** How long requests for an uncacheable response are not shared. */
const passMs = 10_000
const maxPasses = 10_000
/** Minimum time between two revalidations while a stale response is available. */
const retryMs = 1_000

/** Headers that belong to the request or the connection, not to the response. */
const uncachedHeaders = ['Age', 'Cache-Tag', 'Connection', 'Content-Length', 'Date', 'Server-Timing', 'X-Request-Id']

/**
 * Replaces the platform's cache on other platforms, with the same behaviour (RFC 9111, RFC 5861): `Age` and
 * `CF-Cache-Status`, stale responses during revalidation or when it fails, one upstream request for concurrent
 * requests, 304 and HEAD from the cached response. Only responses with a `public` policy are cached.
 * @param now milliseconds
 */
export const createEdgeCache = (now: () => number): EdgeCache => {
  const store = createCacheStore(limits)
  const inFlight = new Map<string, Promise<Outcome>>()
  const passes = new Map<string, number>()

  const remember = (key: string): void => {
    const at = now()
    passes.delete(key)
    passes.set(key, at + passMs)
    // a Map iterates in insertion order, so the first one ends first
    for (const [first, until] of passes) {
      if (until > at && passes.size <= maxPasses) return
      passes.delete(first)
    }
  }
  const isPassing = (key: string): boolean => {
    const until = passes.get(key)
    if (until === undefined) return false
    if (until > now()) return true
    passes.delete(key)
    return false
  }

  /** Requests the response and updates the store; `cached` is the part that other requests may share. */
  const requestSource = async (key: CacheKey, load: Load): Promise<{ response: Response; cached?: CachedResponse }> => {
    const response = await load()
    if (response.status >= 500) return { response }
    const policy = isCacheable(response) ? parseCachePolicy(response.headers.get('Cache-Control')) : undefined
    if (!policy) {
      store.delete(key.url)
      remember(key.url)
      return { response }
    }
    const body = new Uint8Array(await response.arrayBuffer())
    const headers = new Headers(response.headers)
    for (const name of uncachedHeaders) headers.delete(name)
    const at = now()
    const cached = { ...policy, status: response.status, headers, body, tags: key.tags, cachedAt: at, retryAt: at }
    if (body.byteLength <= maxBodyBytes) store.put(key.url, cached)
    return { response: new Response(body, response), cached }
  }

  /**
   * One request in flight per key; those that join it get the cacheable response, or nothing when it is private or
   * fails.
   */
  const track = (key: CacheKey, pending: ReturnType<typeof requestSource>, waitUntil: WaitUntil): void => {
    const shared = pending.then(
      ({ cached, response }): Outcome => ({ cached, hasFailed: response.status >= 500 }),
      (): Outcome => ({ hasFailed: true }),
    )
    inFlight.set(key.url, shared)
    // continues when the client that started it disconnects
    waitUntil(
      shared.then(() => {
        if (inFlight.get(key.url) === shared) inFlight.delete(key.url)
      }),
    )
  }

  const lead = async (key: CacheKey, request: Request, load: Load, waitUntil: WaitUntil): Promise<Response> => {
    const stale = store.get(key.url, now())
    const pending = requestSource(key, load)
    track(key, pending, waitUntil)
    const { response, cached } = await pending.catch((error) => {
      if (!stale) throw error
      return { response: undefined, cached: undefined }
    })
    const failed = response === undefined || response.status >= 500
    if (failed && stale && isUsableOnError(stale, now())) {
      stale.retryAt = now() + retryMs
      return toResponse(stale, 'STALE', request, now())
    }
    if (cached) return toResponse(cached, stale ? 'EXPIRED' : 'MISS', request, now())
    if (!response) throw new Error('the source failed, and the cached response is too old')
    return toUncached(response, request)
  }

  const refresh = async (key: CacheKey, stale: CachedResponse, load: Load, waitUntil: WaitUntil): Promise<void> => {
    stale.retryAt = now() + retryMs
    const pending = requestSource(key, load)
    track(key, pending, waitUntil)
    try {
      await pending
    } catch (error) {
      logEntry({ message: 'cache revalidation failed', cause: describeError(error) })
    }
  }

  /** For requests that joined one that failed. */
  const respondToFailure = (key: CacheKey, request: Request): Response => {
    const stale = store.get(key.url, now())
    if (stale && isUsableOnError(stale, now())) return toResponse(stale, 'STALE', request, now())
    throw new ApiError('ServiceUnavailable', { context: { cause: 'the shared request of another client failed' } })
  }

  return {
    find: (key, request, load, waitUntil) => {
      const at = now()
      const cached = store.get(key.url, at)
      if (!cached) return undefined
      const age = (at - cached.cachedAt) / 1_000
      if (age < cached.maxAge) return toResponse(cached, 'HIT', request, at)
      if (age >= cached.maxAge + cached.staleWhileRevalidate) {
        const hasJustFailed = at < cached.retryAt && isUsableOnError(cached, at)
        return hasJustFailed ? toResponse(cached, 'STALE', request, at) : undefined
      }
      if (at >= cached.retryAt && !inFlight.has(key.url)) waitUntil(refresh(key, cached, load, waitUntil))
      return toResponse(cached, 'UPDATING', request, at)
    },
    fill: async (key, request, load, waitUntil) => {
      for (let joined = 0; joined < maxJoined; joined += 1) {
        const shared = isPassing(key.url) ? undefined : inFlight.get(key.url)
        if (!shared) break
        const joinedAt = now()
        const outcome = await waitAtMost(shared, maxWaitMs)
        if (outcome?.cached) return toResponse(outcome.cached, 'HIT', request, now())
        const isTooLate = outcome ? outcome.hasFailed && now() - joinedAt > patienceMs : joined === maxJoined - 1
        if (isTooLate) return respondToFailure(key, request)
        // the request in flight failed, has nothing to share, or is lost: send the next one
        if (inFlight.get(key.url) === shared) inFlight.delete(key.url)
      }
      return lead(key, request, load, waitUntil)
    },
    purge: store.purge,
  }
}

const isCacheable = ({ status, headers }: Response): boolean =>
  (status === 200 || status === 404) && !headers.has('Set-Cookie') && !headers.has('Vary')

const isUsableOnError = ({ cachedAt, maxAge, staleIfError }: CachedResponse, at: number): boolean =>
  at < cachedAt + (maxAge + staleIfError) * 1_000

const waitAtMost = async <T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> => {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), milliseconds)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

type CacheStatus = 'HIT' | 'MISS' | 'EXPIRED' | 'UPDATING' | 'STALE'

const toResponse = (cached: CachedResponse, cacheStatus: CacheStatus, request: Request, at: number): Response =>
  toClientResponse({ status: cached.status, headers: findHeaders(cached, cacheStatus, at), body: cached.body }, request)

/** Setting headers one by one dominates the cost of a cached response; the runtime copies a whole set at once. */
const findHeaders = (cached: CachedResponse, cacheStatus: CacheStatus, at: number): Headers => {
  const age = Math.floor((at - cached.cachedAt) / 1_000)
  if (cached.recent?.age === age && cached.recent.cacheStatus === cacheStatus) return cached.recent.headers
  const headers = new Headers(cached.headers)
  headers.set('CF-Cache-Status', cacheStatus)
  if (cacheStatus !== 'MISS' && cacheStatus !== 'EXPIRED') headers.set('Age', String(age))
  cached.recent = { cacheStatus, age, headers }
  return headers
}

/** The response of a cacheable route that must not be cached this time. */
const toUncached = (response: Response, request: Request): Response => {
  const isWhole = request.method !== 'HEAD' && !isUnchanged(response.status, response.headers, request)
  const own = isWhole ? response : toClientResponse(response, request)
  own.headers.set('CF-Cache-Status', 'BYPASS')
  return own
}

type ResponseParts = { status: number; headers: Headers; body: Response['body'] | Uint8Array<ArrayBuffer> }

/** Omits the body for HEAD and for clients that already have it. */
const toClientResponse = ({ status, headers, body }: ResponseParts, request: Request): Response => {
  if (isUnchanged(status, headers, request)) return to304(headers)
  return new Response(request.method === 'HEAD' ? null : body, { status, headers })
}

const isUnchanged = (status: number, headers: Headers, request: Request): boolean => {
  const condition = request.headers.get('If-None-Match')
  if (condition === null || status !== 200) return false
  const etag = headers.get('ETag')
  return etag !== null && matchesEtag(condition, etag)
}

const to304 = (headers: Headers): Response => {
  const response = new Response(null, { status: 304, headers })
  response.headers.delete('Content-Type')
  response.headers.delete('Content-Length')
  return response
}
