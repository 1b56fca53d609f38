import type { CachePolicy } from './parseCachePolicy.ts'

/** An answer that is kept whole: bytes and texts, nothing that belongs to the request that brought it. */
export type KeptAnswer = CachePolicy & {
  status: number
  headers: Headers
  /** all headers of what was answered last; everybody who asks within the same second gets the same */
  recent?: { cacheStatus: string; age: number; headers: Headers }
  body: Uint8Array<ArrayBuffer>
  tags: readonly string[]
  /** milliseconds */
  keptAt: number
  /** milliseconds; while an answer is stale, it is not asked for again before */
  askAgainAt: number
}

export type AnswerStore = {
  /** whatever its age, as long as somebody may still get it */
  get: (key: string, now: number) => KeptAnswer | undefined
  put: (key: string, answer: KeptAnswer) => void
  delete: (key: string) => void
  /** forgets what has one of these tags */
  purge: (tags: readonly string[]) => void
}

/** Of each entry, beside its body: key, headers, the map's own. */
const overheadBytes = 1_024

/**
 * Answers in the memory of this isolate, those that were not asked for the longest leaving first.
 * @param maxBytes of all bodies, with something for the rest of an entry
 */
export const createAnswerStore = ({ maxEntries, maxBytes }: { maxEntries: number; maxBytes: number }): AnswerStore => {
  const entries = new Map<string, KeptAnswer>()
  let bytes = 0
  const remove = (key: string): void => {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    bytes -= sizeOf(entry)
  }
  return {
    get: (key, now) => {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (now >= computeEnd(entry)) {
        remove(key)
        return undefined
      }
      // the order of a Map is that of insertion: now it is the youngest
      entries.delete(key)
      entries.set(key, entry)
      return entry
    },
    put: (key, answer) => {
      remove(key)
      entries.set(key, answer)
      bytes += sizeOf(answer)
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

const sizeOf = ({ body }: KeptAnswer): number => body.byteLength + overheadBytes

const computeEnd = ({ keptAt, maxAge, staleWhileRevalidate, staleIfError }: KeptAnswer): number =>
  keptAt + (maxAge + Math.max(staleWhileRevalidate, staleIfError)) * 1_000
