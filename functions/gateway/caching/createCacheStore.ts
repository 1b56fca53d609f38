import type { CachePolicy } from './parseCachePolicy.ts'

/** A cached response: bytes and texts, without anything that belongs to the original request. */
export type CachedResponse = CachePolicy & {
  status: number
  headers: Headers
  /** headers of the latest response; reused for all requests within the same second */
  recent?: { cacheStatus: string; age: number; headers: Headers }
  body: Uint8Array<ArrayBuffer>
  tags: readonly string[]
  /** milliseconds */
  cachedAt: number
  /** milliseconds; a stale response is not revalidated before this time */
  retryAt: number
}

export type CacheStore = {
  /** fresh or stale, until the end of its policy */
  get: (key: string, now: number) => CachedResponse | undefined
  put: (key: string, response: CachedResponse) => void
  delete: (key: string) => void
  /** removes entries with any of these tags */
  purge: (tags: readonly string[]) => void
}

/** Estimated size of an entry without its body: key, headers, map overhead. */
const overheadBytes = 1_024
/** How often entries at the end of their policy are removed. */
const sweepMs = 60_000

/**
 * Cached responses in the memory of this isolate, removed at the end of their policy and, when the store is full, least
 * recently used first.
 * @param maxBytes of all bodies, with an estimate for the rest of each entry
 */
export const createCacheStore = ({ maxEntries, maxBytes }: { maxEntries: number; maxBytes: number }): CacheStore => {
  const entries = new Map<string, CachedResponse>()
  let bytes = 0
  let sweptAt = 0
  const remove = (key: string): void => {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    bytes -= sizeOf(entry)
  }
  const sweep = (now: number): void => {
    if (now - sweptAt < sweepMs) return
    sweptAt = now
    for (const [key, entry] of entries) if (now >= computeEnd(entry)) remove(key)
  }
  return {
    get: (key, now) => {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (now >= computeEnd(entry)) {
        remove(key)
        return undefined
      }
      // a Map iterates in insertion order: reinserting makes this entry the most recently used
      entries.delete(key)
      entries.set(key, entry)
      return entry
    },
    put: (key, response) => {
      sweep(response.cachedAt)
      remove(key)
      entries.set(key, response)
      bytes += sizeOf(response)
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && bytes <= maxBytes) return
        remove(oldest)
      }
    },
    delete: remove,
    purge: (tags) => {
      for (const [key, entry] of entries) if (entry.tags.some((tag) => tags.includes(tag))) remove(key)
    },
  }
}

const sizeOf = ({ body }: CachedResponse): number => body.byteLength + overheadBytes

const computeEnd = ({ cachedAt, maxAge, staleWhileRevalidate, staleIfError }: CachedResponse): number =>
  cachedAt + (maxAge + Math.max(staleWhileRevalidate, staleIfError)) * 1_000
