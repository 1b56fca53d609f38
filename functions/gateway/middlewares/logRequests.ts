import type { MiddlewareHandler } from 'hono'
import { readServerTiming, type Spans, toLogFields } from '#shared/logging/serverTiming.ts'
import type { GatewayEnv } from '../gatewayEnv.ts'
import type { RouteTarget } from '../routing/createTargetFinder.ts'

export type AnsweredRequest = {
  requestId: string
  method: string
  target: RouteTarget
  response: Response
  /** milliseconds until the response started */
  ms: number
}

/** Cached responses carry the `Server-Timing` of the original request. */
const cached = new Set(['HIT', 'STALE', 'UPDATING'])
const nothing: Spans = new Map()

/**
 * Writes one log line per request. Apart from the request id, which is short and validated, it contains no text of the client:
 * no path, query, header or body, hence no signature, key, e-mail or address.
 */
export const logRequest = (
  log: (line: string) => void,
  { requestId, method, target: { network, route }, response, ms }: AnsweredRequest,
): void => {
  const cache = response.headers.get('CF-Cache-Status')
  const spans = cache && cached.has(cache) ? nothing : readServerTiming(response.headers.get('Server-Timing'))
  log(
    JSON.stringify({
      message: 'request',
      requestId,
      network: network?.name ?? null,
      group: route?.worker ?? 'gateway',
      route: route?.path ?? null,
      method,
      status: response.status,
      ms,
      ...toLogFields(spans),
      ...(cache ? { cache } : {}),
    }),
  )
}

/** Logs every request that reaches the app, with the time until its response starts. */
export const logRequests =
  (log: (line: string) => void): MiddlewareHandler<GatewayEnv> =>
  async (c, next) => {
    const started = Date.now()
    await next()
    const { requestId, target } = c.var
    logRequest(log, { requestId, method: c.req.method, target, response: c.res, ms: Date.now() - started })
  }
