import type { OpenAPIHono } from '@hono/zod-openapi'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { clientKeyHeader } from '#shared/http/clientKeyHeader.ts'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import { createApp, handleNotFound, toErrorResponse } from '#shared/http/createApp.ts'
import { describeApp } from '#shared/http/describeApp.ts'
import { withRequestId } from '#shared/http/logEntry.ts'
import { toApiError } from '#shared/http/toApiError.ts'
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
import { findSharedGroup } from './findSharedGroup.ts'
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
import { routeToWorker } from './routeToWorker.ts'
import { withoutSlash } from './withoutSlash.ts'

export type GatewayDeps = {
  workers: Workers
  sharedWorkers?: SharedWorkers
  /** what the index names as the running version */
  version: string
  /** none unless given */
  rateLimits?: RateLimits
  /** answers reads again; without it every one is asked for */
  cache?: EdgeCache | undefined
  /** the pages; without it there are none */
  findAsset?: FindAsset | undefined
  /** those of a local stack; a deployment has none */
  localChains?: LocalChains
  /** header with the client's address, set by the front of this deployment; without one all clients count as one */
  trustedAddressHeader?: string | undefined
  /** takes one JSON line per request */
  log: (line: string) => void
  /** how long `/readyz` waits for a Worker */
  readinessTimeoutMs?: number
}

/** What the platform gives with a request. */
export type GatewayContext = {
  waitUntil: WaitUntil
  /** forgets the kept answers with these tags, where the platform keeps them */
  purge?: (tags: string[]) => void
}

export type Gateway = (request: Request, context?: GatewayContext) => Promise<Response>

const noContext: GatewayContext = { waitUntil: () => undefined }

const defaultReadinessTimeoutMs = 5_000

/**
 * The one public entry: path → Worker. Every answer, whoever gave it, leaves with the CORS headers, the request id and a
 * `Cache-Control`; every path answers with and without a trailing slash.
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
    // has all headers already: nothing is done for it that was done before
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

/** What a shared cache may answer: with credentials an answer may be somebody's own. */
const isSharedRead = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && !headers.has('Authorization')

/** The question that an answer is kept for: nothing of one client's headers is in it. */
const toCanonicalRequest = (url: URL, requestId: string): Request =>
  new Request(url, { headers: { Accept: 'application/json', 'X-Request-Id': requestId } })

/** The headers of a Worker's answer cannot be changed, those of a copy can. */
const toOwnResponse = (answer: Response): Response => new Response(answer.body, answer)

/** A Worker says in `Cache-Purge` which tags its answer has made outdated; that is between it and us. */
const purgeKept = (headers: Headers, purge: GatewayContext['purge']): void => {
  const tags = headers.get('Cache-Purge')
  if (tags === null) return
  headers.delete('Cache-Purge')
  purge?.(tags.split(',').map((tag) => tag.trim()))
}

/** The routes of the gateway itself, and the way to all others. */
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
  const notFound = handleNotFound(app)
  app.all('/:network/*', (c) => {
    const { pathname } = new URL(c.req.url)
    const sharedGroup = findSharedGroup(pathname)
    if (sharedGroup) return forwardToSharedWorker(sharedWorkers, sharedGroup, c.req.raw)
    const route = routeToWorker(pathname)
    return route ? forwardToWorker(workers, route, c.req.raw) : notFound(c)
  })
  app.notFound(notFound)
  return app
}
