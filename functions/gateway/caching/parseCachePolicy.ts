/** What a shared cache may do with an answer, in seconds. */
export type CachePolicy = {
  maxAge: number
  /** how much longer it may be answered while it is asked for again */
  staleWhileRevalidate: number
  /** how much longer it may be answered when asking again fails */
  staleIfError: number
}

/** @returns undefined unless `Cache-Control` says `public` and for how long */
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
