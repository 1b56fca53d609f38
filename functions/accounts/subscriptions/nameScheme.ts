import type { MiddlewareHandler } from 'hono'
import { authorizationScheme } from './readAuthorization.ts'

/** Says with a 401 how to authorise the request (RFC 9110, 11.6.1). */
export const nameScheme: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.res.status === 401) c.header('WWW-Authenticate', authorizationScheme)
}
