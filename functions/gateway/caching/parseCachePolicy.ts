/** Cache policy of a response for shared caches, in seconds. */
export type CachePolicy = {
  maxAge: number
  /** time after `maxAge` in which it may be served during revalidation */
  staleWhileRevalidate: number
  /** time after `maxAge` in which it may be served when revalidation fails */
  staleIfError: number
}

/** @returns undefined unless `Cache-Control` has `public` and a `max-age` above 0 */
export const parseCachePolicy = (cacheControl: string | null): CachePolicy | undefined => {
  const directives = (cacheControl ?? '').toLowerCase().split(',')
  const values = new Map(
    directives.map((directive) => {
      const [name = '', value = ''] = directive.split('=')
      return [name.trim(), /^\s*\d+\s*$/.test(value) ? Number(value) : 0]
    }),
  )
  const maxAge = values.get('max-age') ?? 0
  if (!values.has('public') || values.has('no-store') || values.has('no-cache') || maxAge === 0) return undefined
  return {
    maxAge,
    staleWhileRevalidate: values.get('stale-while-revalidate') ?? 0,
    staleIfError: values.get('stale-if-error') ?? 0,
  }
}
