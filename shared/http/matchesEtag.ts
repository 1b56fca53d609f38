/**
 * Whether an `If-None-Match` header names `etag` (RFC 9110 §13.1.2): one of a list, or `*`; weak and strong tags with
 * the same text are equal.
 */
export const matchesEtag = (header = '', etag: string): boolean =>
  header.split(',').some((candidate) => {
    const tag = candidate.trim()
    return tag === '*' || opaque(tag) === opaque(etag)
  })

const opaque = (tag: string): string => tag.replace(/^W\//, '')
