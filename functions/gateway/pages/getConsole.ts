import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import type { FindAsset } from './connectAssets.ts'
import { consolePolicy, contentSecurityPolicy } from './contentSecurityPolicy.ts'
import { fileNameSchema, fileResponses } from './fileResponses.ts'
import { insertPreview } from './insertPreview.ts'
import { type FileResponse, serveAsset } from './serveAsset.ts'

/** Written by `tools/workers/buildAssets.ts`. */
const folder = '/console'

/** The longest is a UID of 114 characters; the page validates it. */
const segmentSchema = z.string().min(1).max(128)

/** Views of the single page, which selects one by the path; its title, and an example of its parameter. */
const pages = [
  ['/orders/{uid}', 'getOrderPage', 'Order', 'History and diagnosis of an order', exampleValues.uid],
  ['/accounts/{account}', 'getAccountPage', 'Account', 'Orders and balances of an account', exampleValues.account],
  [
    '/transactions/{hash}',
    'getTransactionPage',
    'Transaction',
    'Orders settled by a transaction',
    `0x${'7a'.repeat(32)}`,
  ],
  ['/auctions/{id}', 'getAuctionPage', 'Auction', 'Solver competition of an auction', '42'],
  ['/solvers/{address}', 'getSolverPage', 'Solver', 'Auctions and standing of a solver', exampleValues.account],
  [
    '/tokens/{token}',
    'getTokenPage',
    'Token',
    'Price, markets, trades and holders of a token',
    exampleValues.pair.sellToken,
  ],
  ['/explore', 'getExplorerPage', 'Explore', 'Orders, trades, auctions and solvers of a network'],
  ['/notifications', 'getNotificationPage', 'Notifications', 'Notification settings of an account'],
  ['/status', 'getStatusPage', 'Status', 'Status of the service'],
] as const

const pageErrors = errorResponses('InvalidParameter', 'NotFound', 'RateLimited', 'ServiceUnavailable')

type Page = (typeof pages)[number]

const toPageRoute = ([path, operationId, _, summary, example]: Page) => {
  const [name] = /(?<=\{)\w+/.exec(path) ?? []
  return createRoute({
    method: 'get',
    path,
    operationId,
    tags: ['Console'],
    summary,
    description:
      'HTML page of the web console. The same page is served for every path, with a title for previews of its link; it loads its data from this API.',
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

const manifestSchema = z
  .looseObject({ name: z.string(), start_url: z.string(), icons: z.array(z.looseObject({ src: z.string() })) })
  .openapi({ example: { name: 'edgebook', start_url: '/', icons: [{ src: '/icon.svg' }] } })

/** Files outside of `/assets`, whose names others expect. */
const namedFiles = [
  ['getConsoleIcon', 'icon.svg', 'Icon of the web console', { 'image/svg+xml': { schema: z.string() } }],
  ['getConsoleManifest', 'manifest.json', 'Web app manifest', { 'application/json': { schema: manifestSchema } }],
] as const

const toNamedRoute = ([name, _, summary, content]: (typeof namedFiles)[number]) =>
  createRoute({
    ...endpoint(name),
    tags: ['Console'],
    summary,
    responses: {
      ...fileResponses(),
      200: { description: 'the file', content },
      ...errorResponses('NotFound', 'RateLimited', 'ServiceUnavailable'),
    },
  })

/** Serves the single page of the console, `index.html`, for any of its paths. */
export const servePage = (c: Context, findAsset: FindAsset | undefined): Promise<FileResponse> =>
  serveAsset(c, findAsset, `${folder}/index.html`, {
    cacheControl: cachePolicies.page,
    contentSecurityPolicy: consolePolicy,
  })

/** The single page with title and description of a view. */
const serveView = (c: Context, findAsset: FindAsset | undefined, page: Page): Promise<FileResponse> => {
  const [, , title, description] = page
  const preview = { title, id: Object.values(c.req.param())[0], description }
  const fill = (html: string) => insertPreview(html, preview)
  return serveAsset(c, findAsset, `${folder}/index.html`, {
    cacheControl: cachePolicies.page,
    contentSecurityPolicy: consolePolicy,
    fill,
  })
}

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
  for (const page of pages) app.openapi(toPageRoute(page), (c) => serveView(c, findAsset, page))
  app.openapi(getFileRoute, (c) => {
    const { file } = c.req.valid('param')
    const cacheControl = hashedName.test(file) ? cachePolicies.immutable : cachePolicies.asset
    return serveAsset(c, findAsset, `${folder}/assets/${file}`, { cacheControl, contentSecurityPolicy })
  })
  for (const file of namedFiles)
    app.openapi(toNamedRoute(file), (c) => {
      const cacheControl = cachePolicies.asset
      return serveAsset(c, findAsset, `${folder}/${file[1]}`, { cacheControl, contentSecurityPolicy })
    })
  return app
}
