import { ignoredFieldsHeader } from '#shared/http/nameIgnoredFields.ts'
import type { CacheKey } from './findCacheKey.ts'

/** Names the query parameters that never reach the route. @param response must own its headers */
export const nameIgnored = (response: Response, { ignored }: CacheKey): Response => {
  if (ignored !== undefined) response.headers.set(ignoredFieldsHeader, ignored)
  return response
}
