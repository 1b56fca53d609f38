import type { Method, RateLimitName } from '#shared/api/routes.ts'
import type { PathRoutes } from './findRoute.ts'

/** The rate limit of a request. Requests without a route count as reads, because the gateway rejects them cheaply. */
export const findLimitName = (method: string, route: PathRoutes | undefined): RateLimitName => {
  const key = method === 'HEAD' ? 'get' : method.toLowerCase()
  return route?.methods[key as Method]?.limit ?? 'reads'
}
