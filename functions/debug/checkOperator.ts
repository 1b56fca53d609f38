import type { Context } from 'hono'
import { ApiError } from '#shared/http/errors.ts'
import { hasBearerToken } from './hasBearerToken.ts'

/**
 * Refuses all clients but the operator.
 * @param token the setting `DEBUG_TOKEN`; without one the route is closed
 * @throws ApiError `Unauthorized`
 */
export const checkOperator = (token: string | undefined, c: Context): void => {
  if (token !== undefined && hasBearerToken(c.req.header('Authorization'), token)) return
  c.header('WWW-Authenticate', 'Bearer')
  throw new ApiError('Unauthorized', token === undefined ? { description: 'this network has no DEBUG_TOKEN' } : {})
}
