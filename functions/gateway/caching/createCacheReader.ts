import { logRequest, type RequestLog } from '../middlewares/logRequests.ts'
import { readRequestId } from '../middlewares/readRequestId.ts'
import type { RouteTarget } from '../routing/createTargetFinder.ts'
import type { EdgeCache, WaitUntil } from './createEdgeCache.ts'
import { isSharedRead } from './isSharedRead.ts'
import type { LoadCanonical } from './loadCanonical.ts'
import { nameIgnored } from './nameIgnored.ts'

type CacheReaderDeps = {
  /** undefined: no cache */
  cache: EdgeCache | undefined
  findTarget: (url: string) => RouteTarget
  load: LoadCanonical
  requestLog: RequestLog
}

/**
 * Finds a cached response in front of the app. It is complete except for its request id, and the middlewares would
 * exceed its budget (docs/decisions/gateway-and-caching.md). Cached responses count towards no limit.
 * @returns undefined when the app must respond
 */
export const createCacheReader =
  ({ cache, findTarget, load, requestLog }: CacheReaderDeps) =>
  (request: Request, waitUntil: WaitUntil): Response | undefined => {
    if (!cache || !isSharedRead(request)) return undefined
    const started = Date.now()
    const target = findTarget(request.url)
    if (!target.key) return undefined
    const { key } = target
    const requestId = readRequestId(request.headers)
    const response = cache.find(key, request, () => load(key, request, requestId), waitUntil)
    if (!response) return undefined
    response.headers.set('X-Request-Id', requestId)
    nameIgnored(response, key)
    logRequest(requestLog, { requestId, method: request.method, target, response, ms: Date.now() - started })
    return response
  }
