import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'

/** The matched route in OpenAPI notation, `/api/v1/orders/{uid}`; null without a match. */
export const findRouteTemplate = (c: Context): string | null => {
  const path = matchedRoutes(c).findLast((route) => route.method !== 'ALL')?.path
  return path === undefined ? null : path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')
}
