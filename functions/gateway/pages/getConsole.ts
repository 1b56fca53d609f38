import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import type { FindAsset } from './connectAssets.ts'
import { contentSecurityPolicy } from './contentSecurityPolicy.ts'
import { fileNameSchema, fileResponses } from './fileResponses.ts'
import { type FileResponse, serveAsset } from './serveAsset.ts'

/** Written by `tools/workers/buildAssets.ts`. */
const folder = '/console'

/** The longest is a UID of 114 characters; the page validates it. */
const segmentSchema = z.string().min(1).max(128)

/** Views of the single page, which selects one by the path; an example of its parameter. */
const pages = [
  ['/orders/{uid}', 'getOrderPage', 'History and diagnosis of an order', exampleValues.uid],
  ['/accounts/{account}', 'getAccountPage', 'Orders and balances of an account', exampleValues.account],
  ['/transactions/{hash}', 'getTransactionPage', 'Orders settled by a transaction', `0x${'7a'.repeat(32)}`],
  ['/auctions/{id}', 'getAuctionPage', 'Solver competition of an auction', '42'],
  ['/solvers/{address}', 'getSolverPage', 'Auctions and standing of a solver', exampleValues.account],
  ['/tokens/{token}', 'getTokenPage', 'Price, markets, trades and holders of a token', exampleValues.pair.sellToken],
  ['/explore', 'getExplorerPage', 'Orders, trades, auctions and solvers of a network'],
  ['/notifications', 'getNotificationPage', 'Notification settings of an account'],
  ['/status', 'getStatusPage', 'Status of the service'],
] as const

const pageErrors = errorResponses('InvalidParameter', 'NotFound', 'RateLimited', 'ServiceUnavailable')

const toPageRoute = ([path, operationId, summary, example]: (typeof pages)[number]) => {
  const [name] = /(?<=\{)\w+/.exec(path) ?? []
  return createRoute({
    method: 'get',
    path,
    operationId,
    tags: ['Console'],
    summary,
    description:
      'HTML page of the web console. The same page is served for every path; it loads its data from this API.',
    request: name === undefined ? {} : { params: z.object({ [name]: segmentSchema.openapi({ example }) }) },
    responses: { ...fileResponses('text/html'), ...pageErrors },
  })
}

/** File names of Vite with a content hash: `index-BxKq3_9a.js` */
const hashedName = /-[\w-]{8}\.\w+$/

const getFileRoute = createRoute({
  ...endpoint('getConsoleFile'),
  tags: ['Console'],
  summary: 'A script, style or font of the web console',
  description:
    'Files with a content hash in their name are immutable. `licenses.md` has the licences of the bundled packages.',
  request: { params: z.object({ file: fileNameSchema.openapi({ example: 'index.js' }) }) },
  responses: { ...fileResponses('text/javascript', 'text/css', 'text/markdown', 'font/woff2'), ...pageErrors },
})

const getIconRoute = createRoute({
  ...endpoint('getConsoleIcon'),
  tags: ['Console'],
  summary: 'Icon of the web console',
  responses: { ...fileResponses('image/svg+xml'), ...errorResponses('NotFound', 'RateLimited', 'ServiceUnavailable') },
})

/** Serves the single page of the console, `index.html`, for any of its paths. */
export const servePage = (c: Context, findAsset: FindAsset | undefined): Promise<FileResponse> =>
  serveAsset(c, findAsset, `${folder}/index.html`, { cacheControl: cachePolicies.page, contentSecurityPolicy })

/** The console's own page for a path without a route, with status 404: links that help, instead of JSON. */
export const serveMissingPage = async (c: Context, findAsset: FindAsset): Promise<Response> => {
  const { body, headers } = await servePage(c, findAsset)
  headers.set('Cache-Control', 'no-store')
  headers.set('Vary', 'Accept')
  headers.delete('ETag')
  return new Response(body, { status: 404, headers })
}

/** The pages of the console and their files, except `/`, which also serves JSON (`getIndex`). */
export const getConsole = (findAsset: FindAsset | undefined) => {
  const app = createApp()
  for (const page of pages) app.openapi(toPageRoute(page), (c) => servePage(c, findAsset))
  app.openapi(getFileRoute, (c) => {
    const { file } = c.req.valid('param')
    const cacheControl = hashedName.test(file) ? cachePolicies.immutable : cachePolicies.asset
    return serveAsset(c, findAsset, `${folder}/assets/${file}`, { cacheControl, contentSecurityPolicy })
  })
  app.openapi(getIconRoute, (c) => {
    const cacheControl = cachePolicies.asset
    return serveAsset(c, findAsset, `${folder}/icon.svg`, { cacheControl, contentSecurityPolicy })
  })
  return app
}
