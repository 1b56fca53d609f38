import { readServerTiming, type Spans, toLogFields } from '#shared/http/serverTiming.ts'
import type { Target } from './createTargetFinder.ts'

export type AnsweredRequest = {
  requestId: string
  method: string
  target: Target
  response: Response
  /** milliseconds until the answer began */
  ms: number
}

/** An answer out of the cache carries what the first one cost. */
const cached = new Set(['HIT', 'STALE', 'UPDATING'])
const nothing: Spans = new Map()

/**
 * Writes the one line of the log about a request. All of it is ours but the request id, which is short and harmless: no path,
 * query, header or body of the client, hence no signature, key, e-mail or address.
 */
export const logRequest = (
  log: (line: string) => void,
  { requestId, method, target: { network, group, route }, response, ms }: AnsweredRequest,
): void => {
  const cache = response.headers.get('CF-Cache-Status')
  const spans = cache && cached.has(cache) ? nothing : readServerTiming(response.headers.get('Server-Timing'))
  log(
    JSON.stringify({
      message: 'request',
      requestId,
      network,
      group,
      route,
      method,
      status: response.status,
      ms,
      ...toLogFields(spans),
      ...(cache ? { cache } : {}),
    }),
  )
}
