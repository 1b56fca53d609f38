import type { MiddlewareHandler } from 'hono'
import { readServerTiming, type Spans, toLogFields } from '#shared/logging/serverTiming.ts'
import type { GatewayEnv } from '../gatewayEnv.ts'
import type { RouteTarget } from '../routing/createTargetFinder.ts'

export type LoggedRequest = {
  requestId: string
  method: string
  target: RouteTarget
  response: Response
  /** milliseconds until the response started */
  ms: number
}

export type RequestLog = {
  /** takes one JSON line */
  log: (line: string) => void
  /** of the requests that are neither refused nor slow; 1: all are logged */
  share: number
  /** at least 0, below 1 */
  random: () => number
}

/** Requests that take this long are always logged, milliseconds. */
const slowMs = 1_000

/** Cached responses carry the `Server-Timing` of the original request. */
const cached = new Set(['HIT', 'STALE', 'UPDATING'])
const nothing: Spans = new Map()

/**
 * Writes the log line of a request, or for a share of the requests, which the line names. Refused, failed and slow ones
 * are always written; a 404 is neither. Apart from the validated request id, the line contains no text of the client:
 * no path, query, header or body, hence no signature, key, e-mail or address.
 */
export const logRequest = (
  { log, share, random }: RequestLog,
  { requestId, method, target: { network, route }, response, ms }: LoggedRequest,
): void => {
  const isOrdinary = response.status < 400 || response.status === 404
  const isSampled = share < 1 && isOrdinary && ms < slowMs
  if (isSampled && random() >= share) return
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
      ...(isSampled ? { share } : {}),
    }),
  )
}

/** Logs requests that reach the app, with the time until their response starts. */
export const logRequests =
  (log: RequestLog): MiddlewareHandler<GatewayEnv> =>
  async (c, next) => {
    const started = Date.now()
    await next()
    const { requestId, target } = c.var
    logRequest(log, { requestId, method: c.req.method, target, response: c.res, ms: Date.now() - started })
  }
