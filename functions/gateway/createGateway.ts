import { Hono } from 'hono'
import { toErrorResponse } from '#shared/http/createApp.ts'
import { toApiError } from '#shared/http/toApiError.ts'
import { buildRoutes, type RoutesDeps } from './buildRoutes.ts'
import { createCacheReader } from './caching/createCacheReader.ts'
import type { EdgeCache } from './caching/createEdgeCache.ts'
import { loadCanonical } from './caching/loadCanonical.ts'
import { findContext, type GatewayContext, type GatewayEnv } from './gatewayEnv.ts'
import { noRateLimits } from './limits/rateLimits.ts'
import { identifyClient } from './middlewares/identifyClient.ts'
import { limitRate } from './middlewares/limitRate.ts'
import { limitRequestSize } from './middlewares/limitRequestSize.ts'
import { logRequests } from './middlewares/logRequests.ts'
import { purgeCached } from './middlewares/purgeCached.ts'
import { readBoundedBody } from './middlewares/readBoundedBody.ts'
import { respondToPreflight, setCors } from './middlewares/setCors.ts'
import { setDefaultHeaders } from './middlewares/setDefaultHeaders.ts'
import { setRequestId } from './middlewares/setRequestId.ts'
import { setTarget } from './middlewares/setTarget.ts'
import { shareResponse } from './middlewares/shareResponse.ts'
import { createTargetFinder } from './routing/createTargetFinder.ts'
import { findErrorFormat } from './routing/findErrorFormat.ts'

export type GatewayDeps = Omit<RoutesDeps, 'connect'> & {
  /** caches reads; undefined: no cache */
  cache?: EdgeCache | undefined
  /** header with the client's address, set by the proxy in front; without one all clients share one key */
  trustedAddressHeader?: string | undefined
  /** takes the JSON lines of requests */
  log: (line: string) => void
  /** share of the requests that are logged though they are neither refused nor slow; default 1 */
  logShare?: number | undefined
}

export type Gateway = (request: Request, context?: GatewayContext) => Promise<Response>

const noContext: GatewayContext = { waitUntil: () => undefined }
/** The parts of Hono's execution context that the gateway does not use. */
const unused = { passThroughOnException: () => undefined, props: {} }

/**
 * The single public entry point: path → Worker. Every response gets the CORS headers, the request id and a
 * `Cache-Control`; every path works with and without a trailing slash. Requests that no cache serves pass the
 * middlewares in their order, the cheapest check first.
 */
export const createGateway = (deps: GatewayDeps): Gateway => {
  const { cache, log, logShare: share = 1, rateLimits = noRateLimits } = deps
  const requestLog = { log, share, random: Math.random }
  const routes = buildRoutes({ ...deps, connect: (c) => (request) => gateway(request, findContext(c)) })
  const load = loadCanonical(routes)
  const findTarget = createTargetFinder(Date.now)
  const readCache = createCacheReader({ cache, findTarget, load, requestLog })

  const app = new Hono<GatewayEnv>({ strict: false })
  app.onError((error, c) => toErrorResponse(c, toApiError(error), findErrorFormat(c.req.path)))
  app.use(
    setRequestId(),
    setCors(),
    logRequests(requestLog),
    setTarget(findTarget),
    setDefaultHeaders({ isCaching: cache !== undefined }),
    purgeCached(cache),
  )
  app.options('*', respondToPreflight)
  app.use(
    identifyClient(deps.trustedAddressHeader),
    limitRequestSize(),
    limitRate(rateLimits),
    readBoundedBody(),
    shareResponse(cache, load),
  )
  app.route('/', routes)

  const gateway: Gateway = async (request, context = noContext) =>
    readCache(request, context.waitUntil) ?? app.fetch(request, {}, { ...unused, ...context })
  return gateway
}
