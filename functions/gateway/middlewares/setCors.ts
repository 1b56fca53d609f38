import type { Handler, MiddlewareHandler } from 'hono'

const allowedHeaders = [
  'Cache-Control',
  'Content-Type',
  'Authorization',
  'X-API-Key',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
  'X-AppId',
  'X-Auth-Token',
  'Accept',
  'Origin',
]

const exposedHeaders = [
  'Age',
  'Allow',
  'Cache-Control',
  'CF-Cache-Status',
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'X-Ignored-Fields',
  'X-Next-Cursor',
  'X-Order-In-Flight',
  'X-Quote-Ignored',
  'X-Request-Id',
]

/** Set on every response. Any origin is allowed, so no `Vary: Origin` splits caches. */
const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': allowedHeaders.join(', '),
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
} as const

/** Additional headers of the response to `OPTIONS`. Browsers cache it for a day, or up to their own maximum. */
const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Max-Age': '86400',
} as const

/** Adds the CORS headers to a response, which must own its headers. */
export const withCors = (response: Response): Response => {
  for (const [name, value] of Object.entries(corsHeaders)) response.headers.set(name, value)
  return response
}

/** Lets every origin read every response. */
export const setCors = (): MiddlewareHandler => async (c, next) => {
  await next()
  // setting headers is a large part of the gateway's work, and a response to cache has them already
  if (!c.res.headers.has('Access-Control-Allow-Origin')) withCors(c.res)
}

/**
 * Handles `OPTIONS` of any path. Any header is allowed: libraries add their own (`sentry-trace`, `baggage`), and a
 * browser fails the whole request when one of them is not. They are named, because `*` excludes `Authorization`.
 */
export const respondToPreflight: Handler = (c) => {
  const response = withCors(new Response(null, { status: 204, headers: preflightHeaders }))
  const requested = c.req.header('Access-Control-Request-Headers')
  if (requested) response.headers.append('Access-Control-Allow-Headers', requested)
  return response
}
