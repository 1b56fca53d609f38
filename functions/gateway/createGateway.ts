import type { OpenAPIHono } from '@hono/zod-openapi'
import { createApp, handleNotFound, toErrorResponse } from '#shared/http/createApp.ts'
import { describeApp } from '#shared/http/describeApp.ts'
import { toApiError } from '#shared/http/toApiError.ts'
import { buildOpenApiDocument, openApiPartSchema } from './buildOpenApiDocument.ts'
import type { SharedWorkers } from './connectSharedWorkers.ts'
import type { Workers } from './connectWorkers.ts'
import { corsHeaders, preflightHeaders } from './corsHeaders.ts'
import { findErrorFormat } from './findErrorFormat.ts'
import { findOpenApiParts, findSharedOpenApiParts } from './findOpenApiParts.ts'
import { findSharedGroup } from './findSharedGroup.ts'
import { forwardToSharedWorker, forwardToWorker } from './forwardToWorker.ts'
import { getHealth } from './getHealth.ts'
import { getIndex } from './getIndex.ts'
import { getLimits } from './getLimits.ts'
import { getOpenApi } from './getOpenApi.ts'
import { getReadiness } from './getReadiness.ts'
import { limitRate } from './limitRate.ts'
import { noRateLimits, type RateLimits } from './rateLimits.ts'
import { readRequestId } from './readRequestId.ts'
import { routeToWorker } from './routeToWorker.ts'
import { takeBody } from './takeBody.ts'

export type GatewayDeps = {
  workers: Workers
  sharedWorkers?: SharedWorkers
  /** what the index names as the running version */
  version: string
  /** none unless given */
  rateLimits?: RateLimits
  /** takes one JSON line per request */
  log: (line: string) => void
  /** how long `/readyz` waits for a Worker */
  readinessTimeoutMs?: number
}

export type Gateway = (request: Request) => Promise<Response>

const defaultReadinessTimeoutMs = 5_000

/**
 * The one public entry: path → Worker. Every answer, whoever gave it, leaves with the CORS headers, the request id and a
 * `Cache-Control`; every path answers with and without a trailing slash.
 */
export const createGateway = (deps: GatewayDeps): Gateway => {
  const app = buildApp(deps)
  return async (request) => {
    const started = Date.now()
    const requestId = readRequestId(request.headers)
    const inner = toInnerRequest(request, requestId)
    const answer = request.method === 'OPTIONS' ? answerPreflight() : await app.fetch(inner)
    const response = new Response(answer.body, answer)
    for (const [name, value] of Object.entries(corsHeaders)) response.headers.set(name, value)
    response.headers.set('X-Request-Id', requestId)
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
    if (response.status === 503 && !response.headers.has('Retry-After')) response.headers.set('Retry-After', '1')
    const { pathname } = new URL(inner.url)
    const route = routeToWorker(pathname)
    deps.log(
      JSON.stringify({
        requestId,
        method: request.method,
        group: route?.group ?? findSharedGroup(pathname) ?? 'gateway',
        network: route?.network?.name ?? null,
        status: response.status,
        ms: Date.now() - started,
      }),
    )
    return response
  }
}

const answerPreflight = () => new Response(null, { status: 204, headers: preflightHeaders })

const toInnerRequest = (request: Request, requestId: string): Request => {
  const url = new URL(request.url)
  if (url.pathname.length > 1 && url.pathname.endsWith('/')) url.pathname = url.pathname.slice(0, -1)
  const inner = new Request(url, request)
  inner.headers.set('X-Request-Id', requestId)
  return inner
}

/** The routes of the gateway itself, and the way to all others. */
export const buildApp = (deps: GatewayDeps): OpenAPIHono => {
  const { workers, sharedWorkers = {}, version, rateLimits = noRateLimits } = deps
  const app = createApp()
  app.onError((error, c) => toErrorResponse(c, toApiError(error), findErrorFormat(c.req.path)))
  app.use(limitRate(rateLimits))
  app.use(takeBody())
  const findDocument = async () => {
    const own = openApiPartSchema.parse(describeApp(app))
    return buildOpenApiDocument(
      version,
      own,
      await findOpenApiParts(workers),
      await findSharedOpenApiParts(sharedWorkers),
    )
  }
  app.route('/', getIndex(workers, version))
  app.route('/', getHealth())
  app.route(
    '/',
    getReadiness({ workers, sharedWorkers }, rateLimits, deps.readinessTimeoutMs ?? defaultReadinessTimeoutMs),
  )
  app.route('/', getLimits(rateLimits))
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
