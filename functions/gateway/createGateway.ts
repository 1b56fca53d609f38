import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { clientKeyHeader } from '#shared/http/clientKeyHeader.ts'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import { createApp, handleNotFound, toErrorResponse } from '#shared/http/createApp.ts'
import { describeApp } from '#shared/http/describeApp.ts'
import { toApiError } from '#shared/http/toApiError.ts'
import { withRequestId } from '#shared/logging/logEntry.ts'
import { buildGuard } from './buildGuard.ts'
import { buildOpenApiDocument, openApiPartSchema } from './buildOpenApiDocument.ts'
import type { EdgeCache, WaitUntil } from './caching/createEdgeCache.ts'
import type { FindAsset } from './connectAssets.ts'
import type { SharedWorkers } from './connectSharedWorkers.ts'
import type { Workers } from './connectWorkers.ts'
import { corsHeaders, preflightHeaders } from './corsHeaders.ts'
import { createTargetFinder } from './createTargetFinder.ts'
import { findErrorFormat } from './findErrorFormat.ts'
import { findOpenApiParts, findSharedOpenApiParts } from './findOpenApiParts.ts'
import { findRoute, isNetworkWorker } from './findRoute.ts'
import { forwardToSharedWorker, forwardToWorker } from './forwardToWorker.ts'
import { getAbout } from './getAbout.ts'
import { getHealth } from './getHealth.ts'
import { getIndex } from './getIndex.ts'
import { getLimits } from './getLimits.ts'
import { getOpenApi } from './getOpenApi.ts'
import { getReadiness } from './getReadiness.ts'
import { getStatus } from './getStatus.ts'
import type { LocalChains } from './local/connectLocalChains.ts'
import { postLocalRpc } from './local/postLocalRpc.ts'
import { logRequest } from './logRequest.ts'
import { getConsole } from './pages/getConsole.ts'
import { getDocs } from './pages/getDocs.ts'
import { noRateLimits, type RateLimits } from './rateLimits.ts'
import { clientAddressHeader, readClientAddress } from './readClientAddress.ts'
import { readRequestId } from './readRequestId.ts'
import { withoutSlash } from './withoutSlash.ts'

export type GatewayDeps = {
  workers: Workers
  sharedWorkers?: SharedWorkers
  /** version in the index */
  version: string
  /** default: no limits */
  rateLimits?: RateLimits
  /** caches reads; undefined: no cache */
  cache?: EdgeCache | undefined
  /** the pages; undefined: none are deployed */
  findAsset?: FindAsset | undefined
  /** chains of a local stack; empty in a deployment */
  localChains?: LocalChains
  /** header with the client's address, set by the proxy in front; without one all clients share one key */
  trustedAddressHeader?: string | undefined
  /** takes one JSON line per request */
  log: (line: string) => void
  /** how long `/readyz` waits for a Worker */
  readinessTimeoutMs?: number
}

/** Platform functions of one request. */
export type GatewayContext = {
  waitUntil: WaitUntil
  /** purges cached responses with these tags from the platform's cache */
  purge?: (tags: string[]) => void
}

export type Gateway = (request: Request, context?: GatewayContext) => Promise<Response>

const noContext: GatewayContext = { waitUntil: () => undefined }

const defaultReadinessTimeoutMs = 5_000

/**
 * The single public entry point: path → Worker. Every response gets the CORS headers, the request id and a `Cache-Control`;
 * every path works with and without a trailing slash.
 */
export const createGateway = (deps: GatewayDeps): Gateway => {
  const { cache, log } = deps
  const routes = buildApp(deps)
  const guard = buildGuard(deps.rateLimits ?? noRateLimits)
  const findTarget = createTargetFinder()
  return async (request, context = noContext) => {
    const started = Date.now()
    const requestId = readRequestId(request.headers)
    const target = findTarget(request.url)
    const key = cache && isSharedRead(request) ? target.key : undefined
    const send = (response: Response): Response => {
      response.headers.set('X-Request-Id', requestId)
      logRequest(log, { requestId, method: request.method, target, response, ms: Date.now() - started })
      return response
    }
    const { waitUntil, purge = cache?.purge } = context
    const load = async () =>
      withCors(toOwnResponse(await routes.fetch(toCanonicalRequest(new URL(key?.url ?? '', request.url), requestId))))
    const kept = key && cache?.find(key, request, load, waitUntil)
    // already has all headers
    if (kept) return send(kept)
    const answer = async (inner: Request) =>
      key && cache ? cache.fill(key, request, load, waitUntil) : routes.fetch(inner)
    const response = withCors(
      request.method === 'OPTIONS'
        ? answerPreflight()
        : toOwnResponse(
            await withRequestId(requestId, async () =>
              guard.fetch(toInnerRequest(request, requestId, deps.trustedAddressHeader), { answer }),
            ),
          ),
    )
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', cachePolicies.noStore)
    if (response.status === 503 && !response.headers.has('Retry-After')) response.headers.set('Retry-After', '1')
    if (cache && !response.headers.has('CF-Cache-Status')) response.headers.set('CF-Cache-Status', 'DYNAMIC')
    purgeKept(response.headers, purge)
    return send(response)
  }
}

const answerPreflight = () => new Response(null, { status: 204, headers: preflightHeaders })

const withCors = (response: Response): Response => {
  for (const [name, value] of Object.entries(corsHeaders)) response.headers.set(name, value)
  return response
}

const toInnerRequest = (request: Request, requestId: string, trustedAddressHeader: string | undefined): Request => {
  const url = new URL(request.url)
  url.pathname = withoutSlash(url.pathname)
  const inner = new Request(url, request)
  inner.headers.set('X-Request-Id', requestId)
  const address = readClientAddress(request.headers, trustedAddressHeader)
  if (address === undefined) inner.headers.delete(clientAddressHeader)
  else inner.headers.set(clientAddressHeader, address)
  inner.headers.set(clientKeyHeader, computeClientKey(address))
  return inner
}

/** Whether a shared cache may answer; responses to requests with credentials may be private. */
const isSharedRead = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && !headers.has('Authorization')

/** The upstream request of a cached response, without headers of any client. */
const toCanonicalRequest = (url: URL, requestId: string): Request =>
  new Request(url, { headers: { Accept: 'application/json', 'X-Request-Id': requestId } })

/** Headers of a Worker's response are immutable; those of a copy are not. */
const toOwnResponse = (answer: Response): Response => new Response(answer.body, answer)

/** Purges the tags in the internal header `Cache-Purge` of a Worker's response. */
const purgeKept = (headers: Headers, purge: GatewayContext['purge']): void => {
  const tags = headers.get('Cache-Purge')
  if (tags === null) return
  headers.delete('Cache-Purge')
  purge?.(tags.split(',').map((tag) => tag.trim()))
}

/** The gateway's own routes, and forwarding to all others. */
export const buildApp = (deps: GatewayDeps): OpenAPIHono => {
  const { workers, sharedWorkers = {}, version, rateLimits = noRateLimits, localChains = {}, findAsset } = deps
  const app = createApp()
  app.onError((error, c) => toErrorResponse(c, toApiError(error), findErrorFormat(c.req.path)))
  const findDocument = async () => {
    const own = openApiPartSchema.parse(describeApp(app))
    return buildOpenApiDocument(
      version,
      own,
      await findOpenApiParts(workers),
      await findSharedOpenApiParts(sharedWorkers),
    )
  }
  app.route('/', getIndex({ workers, version, localChains, findAsset }))
  app.route('/', getHealth())
  app.route('/', getAbout(version))
  app.route(
    '/',
    getReadiness({
      deployed: { workers, sharedWorkers },
      rateLimits,
      timeoutMs: deps.readinessTimeoutMs ?? defaultReadinessTimeoutMs,
      now: Date.now,
    }),
  )
  app.route('/', getStatus(workers, version))
  app.route('/', getLimits(rateLimits))
  app.route('/', getDocs(findAsset))
  app.route('/', getConsole(findAsset))
  app.route('/', postLocalRpc(localChains))
  app.route('/', getOpenApi({ findDocument, now: Date.now }))
  const notFound = (c: Context) => handleNotFound(app, findErrorFormat(c.req.path))(c)
  app.all('*', (c) => {
    const group = findRoute(c.req.path)?.worker
    if (group === undefined || group === 'gateway') return notFound(c)
    return isNetworkWorker(group)
      ? forwardToWorker(workers, group, c.req.raw)
      : forwardToSharedWorker(sharedWorkers, group, c.req.raw)
  })
  app.notFound(notFound)
  return app
}
