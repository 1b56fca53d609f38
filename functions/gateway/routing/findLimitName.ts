import type { Method, RateLimitName } from '#shared/api/routes.ts'
import { findRoute } from './findRoute.ts'

/** The rate limit of a request. Requests without a route count as reads, because the gateway rejects them cheaply. */
export const findLimitName = (method: string, pathname: string): RateLimitName => {
  const asked = method === 'HEAD' ? 'get' : method.toLowerCase()
  return findRoute(pathname)?.methods[asked as Method]?.limit ?? 'reads'
}
