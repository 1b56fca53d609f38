import type { MiddlewareHandler } from 'hono'
import { authorizationScheme } from './readAuthorization.ts'

/** Adds the authorisation scheme to a 401 (RFC 9110, 11.6.1). */
export const nameScheme: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.res.status === 401) c.header('WWW-Authenticate', authorizationScheme)
}
