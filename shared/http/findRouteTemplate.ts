import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'

/** The route that answers a request as the OpenAPI document writes it, `/api/v1/orders/{uid}`; null when there is none. */
export const findRouteTemplate = (c: Context): string | null => {
  const path = matchedRoutes(c).findLast((route) => route.method !== 'ALL')?.path
  return path === undefined ? null : path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')
}
