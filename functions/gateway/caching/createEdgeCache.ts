import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { matchesEtag } from '#shared/http/matchesEtag.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { type AnswerStore, createAnswerStore, type KeptAnswer } from './createAnswerStore.ts'
import type { CacheKey } from './findCacheKey.ts'
import { parseCachePolicy } from './parseCachePolicy.ts'

/** Requests the full response from its source. */
export type Load = () => Promise<Response>
export type WaitUntil = (work: Promise<unknown>) => void

/** Outcome of a shared request. */
type Landed = { kept?: KeptAnswer | undefined; hasFailed: boolean }

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
/** How often a request joins one in flight before it is sent itself, or fails when those in flight did not finish. */
const maxJoined = 2
/** A request that waited longer than this for a shared failure fails, too: a retry would take as long again. */
const patienceMs = 1_000
/** How long requests for an uncacheable response are not shared. */
const passMs = 10_000
const maxPasses = 10_000
/** Minimum time between two revalidations while a stale response is available. */
const retryMs = 1_000

/** Headers that belong to the request or the connection, not to the response. */
const notKept = ['Age', 'Cache-Tag', 'Connection', 'Content-Length', 'Date', 'Server-Timing', 'X-Request-Id']

/**
 * Replaces the platform's cache on other platforms, with the same behaviour (RFC 9111, RFC 5861): `Age` and
 * `CF-Cache-Status`, stale responses during revalidation or when it fails, one upstream request for concurrent requests,
 * 304 and HEAD from the cached response. Only responses with a `public` policy are cached.
 * @param now milliseconds
 */
export const createEdgeCache = (now: () => number, store: AnswerStore = createAnswerStore(limits)): EdgeCache => {
  const flights = new Map<string, Promise<Landed>>()
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

  /** Requests the response and updates the store; `kept` is the part that other requests may share. */
  const ask = async (key: CacheKey, load: Load): Promise<{ answer: Response; kept?: KeptAnswer }> => {
    const answer = await load()
    if (answer.status >= 500) return { answer }
    const policy = isKeepable(answer) ? parseCachePolicy(answer.headers.get('Cache-Control')) : undefined
    if (!policy) {
      store.delete(key.url)
      remember(key.url)
      return { answer }
    }
    const body = new Uint8Array(await answer.arrayBuffer())
    const headers = new Headers(answer.headers)
    for (const name of notKept) headers.delete(name)
    const at = now()
    const kept = { ...policy, status: answer.status, headers, body, tags: key.tags, keptAt: at, askAgainAt: at }
    if (body.byteLength <= maxBodyBytes) store.put(key.url, kept)
    return { answer: new Response(body, answer), kept }
  }

  /** One request in flight per key; those that join it get the cacheable response, or nothing when it is private or fails. */
  const fly = (key: CacheKey, asking: ReturnType<typeof ask>, waitUntil: WaitUntil): void => {
    const flight = asking.then(
      ({ kept, answer }): Landed => ({ kept, hasFailed: answer.status >= 500 }),
      (): Landed => ({ hasFailed: true }),
    )
    flights.set(key.url, flight)
    // continues when the client that started it disconnects
    waitUntil(
      flight.then(() => {
        if (flights.get(key.url) === flight) flights.delete(key.url)
      }),
    )
  }

  const lead = async (key: CacheKey, request: Request, load: Load, waitUntil: WaitUntil): Promise<Response> => {
    const stale = store.get(key.url, now())
    const asking = ask(key, load)
    fly(key, asking, waitUntil)
    const { answer, kept } = await asking.catch((error) => {
      if (!stale) throw error
      return { answer: undefined, kept: undefined }
    })
    const failed = answer === undefined || answer.status >= 500
    if (failed && stale && isUsableOnError(stale, now())) {
      stale.askAgainAt = now() + retryMs
      return toAnswer(stale, 'STALE', request, now())
    }
    if (kept) return toAnswer(kept, stale ? 'EXPIRED' : 'MISS', request, now())
    if (!answer) throw new Error('the source failed, and the cached response is too old')
    return toUnkept(answer, request)
  }

  const refresh = async (key: CacheKey, stale: KeptAnswer, load: Load, waitUntil: WaitUntil): Promise<void> => {
    stale.askAgainAt = now() + retryMs
    const asking = ask(key, load)
    fly(key, asking, waitUntil)
    try {
      await asking
    } catch (error) {
      logEntry({ message: 'cache revalidation failed', cause: describeError(error) })
    }
  }

  /** For requests that joined one that failed. */
  const answerFailure = (key: CacheKey, request: Request): Response => {
    const stale = store.get(key.url, now())
    if (stale && isUsableOnError(stale, now())) return toAnswer(stale, 'STALE', request, now())
    throw new ApiError('ServiceUnavailable', { context: { cause: 'the shared request of another client failed' } })
  }

  return {
    find: (key, request, load, waitUntil) => {
      const at = now()
      const kept = store.get(key.url, at)
      if (!kept) return undefined
      const age = (at - kept.keptAt) / 1_000
      if (age < kept.maxAge) return toAnswer(kept, 'HIT', request, at)
      if (age >= kept.maxAge + kept.staleWhileRevalidate) {
        const hasJustFailed = at < kept.askAgainAt && isUsableOnError(kept, at)
        return hasJustFailed ? toAnswer(kept, 'STALE', request, at) : undefined
      }
      if (at >= kept.askAgainAt && !flights.has(key.url)) waitUntil(refresh(key, kept, load, waitUntil))
      return toAnswer(kept, 'UPDATING', request, at)
    },
    fill: async (key, request, load, waitUntil) => {
      for (let joined = 0; joined < maxJoined; joined += 1) {
        const flight = isPassing(key.url) ? undefined : flights.get(key.url)
        if (!flight) break
        const joinedAt = now()
        const landed = await waitAtMost(flight, maxWaitMs)
        if (landed?.kept) return toAnswer(landed.kept, 'HIT', request, now())
        const isTooLate = landed ? landed.hasFailed && now() - joinedAt > patienceMs : joined === maxJoined - 1
        if (isTooLate) return answerFailure(key, request)
        // the request in flight failed, has nothing to share, or is lost: send the next one
        if (flights.get(key.url) === flight) flights.delete(key.url)
      }
      return lead(key, request, load, waitUntil)
    },
    purge: store.purge,
  }
}

const isKeepable = ({ status, headers }: Response): boolean =>
  (status === 200 || status === 404) && !headers.has('Set-Cookie') && !headers.has('Vary')

const isUsableOnError = ({ keptAt, maxAge, staleIfError }: KeptAnswer, at: number): boolean =>
  at < keptAt + (maxAge + staleIfError) * 1_000

const waitAtMost = async <T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

type CacheStatus = 'HIT' | 'MISS' | 'EXPIRED' | 'UPDATING' | 'STALE'

const toAnswer = (kept: KeptAnswer, cacheStatus: CacheStatus, request: Request, at: number): Response =>
  toClientAnswer({ status: kept.status, headers: findHeaders(kept, cacheStatus, at), body: kept.body }, request)

/** Setting headers one by one dominates the cost of a cached response; the runtime copies a whole set at once. */
const findHeaders = (kept: KeptAnswer, cacheStatus: CacheStatus, at: number): Headers => {
  const age = Math.floor((at - kept.keptAt) / 1_000)
  if (kept.recent?.age === age && kept.recent.cacheStatus === cacheStatus) return kept.recent.headers
  const headers = new Headers(kept.headers)
  headers.set('CF-Cache-Status', cacheStatus)
  if (cacheStatus !== 'MISS' && cacheStatus !== 'EXPIRED') headers.set('Age', String(age))
  kept.recent = { cacheStatus, age, headers }
  return headers
}

/** The response of a cacheable route that must not be cached this time. */
const toUnkept = (answer: Response, request: Request): Response => {
  const isWhole = request.method !== 'HEAD' && !isUnchanged(answer.status, answer.headers, request)
  const own = isWhole ? answer : toClientAnswer(answer, request)
  own.headers.set('CF-Cache-Status', 'BYPASS')
  return own
}

type Answered = { status: number; headers: Headers; body: Response['body'] | Uint8Array<ArrayBuffer> }

/** Omits the body for HEAD and for clients that already have it. */
const toClientAnswer = ({ status, headers, body }: Answered, request: Request): Response => {
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
  const answer = new Response(null, { status: 304, headers })
  answer.headers.delete('Content-Type')
  answer.headers.delete('Content-Length')
  return answer
}
