import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { routes } from '#shared/api/routes.ts'
import { createApp, handleNotFound, refuseMethod, toErrorResponse } from '#shared/http/createApp.ts'
import { describeApp } from '#shared/http/describeApp.ts'
import { ApiError } from '#shared/http/errors.ts'
import { toApiError } from '#shared/http/toApiError.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { getErrors } from './errors/getErrors.ts'
import { noRateLimits, type RateLimits } from './limits/rateLimits.ts'
import type { LocalChains } from './local/connectLocalChains.ts'
import { postLocalRpc } from './local/postLocalRpc.ts'
import { postMcp } from './mcp/postMcp.ts'
import { buildOpenApiDocument, openApiPartSchema } from './openapi/buildOpenApiDocument.ts'
import { findAsyncApi } from './openapi/findAsyncApi.ts'
import { findOpenApiParts, findSharedOpenApiParts } from './openapi/findOpenApiParts.ts'
import { getAsyncApi } from './openapi/getAsyncApi.ts'
import { getOpenApi } from './openapi/getOpenApi.ts'
import type { FindAsset } from './pages/connectAssets.ts'
import { fillQuickStart } from './pages/fillQuickStart.ts'
import { getConsole, serveMissingPage } from './pages/getConsole.ts'
import { getDocs } from './pages/getDocs.ts'
import { prefersHtml } from './pages/prefersHtml.ts'
import type { SharedWorkers } from './routing/connectSharedWorkers.ts'
import type { Workers } from './routing/connectWorkers.ts'
import { findErrorFormat } from './routing/findErrorFormat.ts'
import { findRoute, isMisread, isNetworkWorker } from './routing/findRoute.ts'
import { forwardToSharedWorker, forwardToWorker } from './routing/forwardToWorker.ts'
import type { SendInternal } from './routing/sendInternal.ts'
import { waitForOrder } from './routing/waitForOrder.ts'
import { getAbout } from './service/getAbout.ts'
import { getApiCatalog } from './service/getApiCatalog.ts'
import { getHealth } from './service/getHealth.ts'
import { getIndex, type PublicRpcUrls } from './service/getIndex.ts'
import { getLimits } from './service/getLimits.ts'
import { getReadiness } from './service/getReadiness.ts'
import { getServiceStatus } from './service/getServiceStatus.ts'
import { postStreams } from './streams/postStreams.ts'

export type RoutesDeps = {
  workers: Workers
  sharedWorkers?: SharedWorkers
  /** version in the index */
  version: string
  /** default: no limits */
  rateLimits?: RateLimits
  /** finds files of the deployed pages; undefined: no pages */
  findAsset?: FindAsset | undefined
  /** nodes for the wallets of visitors */
  publicRpcUrls?: PublicRpcUrls | undefined
  /** chains of a local stack; empty in a deployment */
  localChains?: LocalChains
  /** sends requests of the client of another one through the whole gateway; undefined: none can be sent */
  connect?: (c: Context) => SendInternal
  /** how long `/readyz` waits for a Worker */
  readinessTimeoutMs?: number
}

const defaultReadinessTimeoutMs = 5_000

const noConnection = () => async (): Promise<never> => {
  throw new ApiError('ServiceUnavailable', { context: { cause: 'the gateway has no connection to itself' } })
}

/** Routes of the gateway itself; all others are forwarded to their Workers. */
export const buildRoutes = (deps: RoutesDeps): OpenAPIHono => {
  const { workers, sharedWorkers = {}, version, rateLimits = noRateLimits, localChains = {}, findAsset } = deps
  const { publicRpcUrls = new Map(), connect = noConnection } = deps
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
  app.route('/', getIndex({ workers, version, publicRpcUrls, localChains, findAsset }))
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
  app.route('/', getServiceStatus(workers, version))
  app.route('/', getLimits(rateLimits))
  app.route('/', getErrors())
  app.route('/', postMcp({ version, findDocument, connect, now: Date.now }))
  app.route('/', postStreams(connect))
  app.route('/', getApiCatalog())
  const [first] = Object.keys(workers) as NetworkName[]
  const fillPage =
    first &&
    ((page: string) =>
      fillQuickStart(page, networks[first], localChains[first] ?? publicRpcUrls.get(first), first in localChains))
  app.route('/', getDocs({ findAsset, fillPage }))
  app.route('/', getConsole(findAsset))
  app.route('/', postLocalRpc(localChains))
  app.route('/', getOpenApi({ findDocument, now: Date.now }))
  app.route('/', getAsyncApi({ findDocument: () => findAsyncApi(workers, version), now: Date.now }))
  const notFound = async (c: Context) => {
    const failure = handleNotFound(app, findErrorFormat(c.req.path))(c)
    if (failure.status !== 404 || !findAsset || !prefersHtml(c.req.header('Accept'))) return failure
    return serveMissingPage(c, findAsset)
  }
  const forward = async (request: Request, group = findRoute(new URL(request.url).pathname)?.worker) => {
    if (group === undefined || group === 'gateway') throw new ApiError('NotFound')
    return isNetworkWorker(group)
      ? forwardToWorker(workers, group, request)
      : forwardToSharedWorker(sharedWorkers, group, request)
  }
  app.all('*', async (c) => {
    const route = findRoute(c.req.path)
    if (!route || route.worker === 'gateway') return notFound(c)
    if (isMisread(c.req.path, c.req.method)) {
      const allowed = Object.keys(route.methods).map((name) => name.toUpperCase())
      return refuseMethod(c, allowed, findErrorFormat(c.req.path))
    }
    const isWait = c.req.method === 'GET' && route.methods.get === routes.getOrder && c.req.query('wait') !== undefined
    const response = await (isWait ? waitForOrder(forward, c.req.raw) : forward(c.req.raw, route.worker))
    // headers of a Worker's response are immutable
    return new Response(response.body, response)
  })
  app.notFound(notFound)
  return app
}
