import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { logEntry } from '#shared/http/logEntry.ts'
import { matchesEtag } from '#shared/http/matchesEtag.ts'
import { type AnswerStore, createAnswerStore, type KeptAnswer } from './createAnswerStore.ts'
import type { CacheKey } from './findCacheKey.ts'
import { parseCachePolicy } from './parseCachePolicy.ts'

/** Asks whoever knows, for the whole answer. */
export type Load = () => Promise<Response>
export type WaitUntil = (work: Promise<unknown>) => void

/** How a question that several wait for ended. */
type Landed = { kept?: KeptAnswer | undefined; hasFailed: boolean }

export type EdgeCache = {
  /** the answer when it is kept; `load` is only called, later, when it has to be asked for again */
  find: (key: CacheKey, request: Request, load: Load, waitUntil: WaitUntil) => Response | undefined
  /**
   * asks for it, once for all who want it at this moment, and keeps it when its policy allows
   * @throws ApiError `ServiceUnavailable` when others have asked for long and failed; what `load` throws
   */
  fill: (key: CacheKey, request: Request, load: Load, waitUntil: WaitUntil) => Promise<Response>
  purge: (tags: readonly string[]) => void
}

const limits = { maxEntries: 10_000, maxBytes: 32 * 1024 * 1024 }
const maxBodyBytes = 1024 * 1024
/** How long somebody waits for what another client has asked for, before asking as well. */
const maxWaitMs = 10_000
/** How often somebody joins others, before asking alone, or giving up on those who hear nothing. */
const maxJoined = 2
/** Who has waited longer for others to fail is told so: asking alone takes as long once more. */
const patienceMs = 1_000
/** How long an answer that could not be kept is asked for by everybody apart. */
const passMs = 10_000
const maxPasses = 10_000
/** How long a source that has just failed is left alone while a stale answer is there. */
const retryMs = 1_000

/** Of the request or of the connection, not of the answer. */
const notKept = ['Age', 'Cache-Tag', 'Connection', 'Content-Length', 'Date', 'Server-Timing', 'X-Request-Id']

/**
 * Stands in for the platform's cache where there is none, with the same manners (RFC 9111, RFC 5861): `Age` and
 * `CF-Cache-Status`, stale answers while they are asked for again or when that fails, one question for many who ask at once,
 * 304 and HEAD out of what is kept. Nothing is kept without a `public` policy of its own.
 * @param now milliseconds
 */
export const createEdgeCache = (now: () => number, store: AnswerStore = createAnswerStore(limits)): EdgeCache => {
  const flights = new Map<string, Promise<Landed>>()
  const passes = new Map<string, number>()

  const remember = (key: string): void => {
    if (passes.size >= maxPasses) passes.clear()
    passes.set(key, now() + passMs)
  }
  const isPassing = (key: string): boolean => {
    const until = passes.get(key)
    if (until === undefined) return false
    if (until > now()) return true
    passes.delete(key)
    return false
  }

  /** Asks, and keeps or forgets: `kept` is what others may have of the answer. */
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

  /** One flight for each key; those who join it get what may be kept, or nothing when it cannot be shared or fails. */
  const fly = (key: CacheKey, asking: ReturnType<typeof ask>, waitUntil: WaitUntil): void => {
    const flight = asking.then(
      ({ kept, answer }): Landed => ({ kept, hasFailed: answer.status >= 500 }),
      (): Landed => ({ hasFailed: true }),
    )
    flights.set(key.url, flight)
    // goes on when the client that began it leaves
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
    if (!answer) throw new Error('nothing answers, and what was kept is too old')
    return toUnkept(answer, request)
  }

  const refresh = async (key: CacheKey, stale: KeptAnswer, load: Load, waitUntil: WaitUntil): Promise<void> => {
    stale.askAgainAt = now() + retryMs
    const asking = ask(key, load)
    fly(key, asking, waitUntil)
    try {
      await asking
    } catch (error) {
      logEntry({ message: 'a kept answer was not renewed', cause: describeError(error) })
    }
  }

  /** For those who have joined in vain. */
  const answerFailure = (key: CacheKey, request: Request): Response => {
    const stale = store.get(key.url, now())
    if (stale && isUsableOnError(stale, now())) return toAnswer(stale, 'STALE', request, now())
    throw new ApiError('ServiceUnavailable', { context: { cause: 'the same question of another client has failed' } })
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
        // its leader failed, has nothing to share, or is gone: the next one leads
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

/** Setting headers one by one is most of what an answer costs; the runtime copies all of them at once. */
const findHeaders = (kept: KeptAnswer, cacheStatus: CacheStatus, at: number): Headers => {
  const age = Math.floor((at - kept.keptAt) / 1_000)
  if (kept.recent?.age === age && kept.recent.cacheStatus === cacheStatus) return kept.recent.headers
  const headers = new Headers(kept.headers)
  headers.set('CF-Cache-Status', cacheStatus)
  if (cacheStatus !== 'MISS' && cacheStatus !== 'EXPIRED') headers.set('Age', String(age))
  kept.recent = { cacheStatus, age, headers }
  return headers
}

/** The answer of a route that may be kept, but not this time. */
const toUnkept = (answer: Response, request: Request): Response => {
  const own = toClientAnswer(answer, request)
  own.headers.set('CF-Cache-Status', 'BYPASS')
  return own
}

type Answered = { status: number; headers: Headers; body: Response['body'] | Uint8Array<ArrayBuffer> }

/** The body only where the client wants it and has not got it already. */
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
