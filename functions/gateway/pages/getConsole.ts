import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import type { FindAsset } from '../connectAssets.ts'
import { answerAsset } from './answerAsset.ts'
import { contentSecurityPolicy } from './contentSecurityPolicy.ts'
import { fileNameSchema, fileResponses } from './fileResponses.ts'

/** Where `tools/workers/buildAssets.ts` puts it. */
const folder = '/console'

/** The longest is a UID of 114 characters; what the page makes of it is the page's business. */
const segmentSchema = z.string().min(1).max(128)

/** What the page shows, by path; which one it is, it finds out itself. */
const pages = [
  ['/orders/{uid}', 'getOrderPage', 'What became of an order, and why'],
  ['/accounts/{account}', 'getAccountPage', 'The orders and balances of an account'],
  ['/transactions/{hash}', 'getTransactionPage', 'The orders that a transaction settled'],
  ['/auctions/{id}', 'getAuctionPage', 'The competition of an auction'],
  ['/status', 'getStatusPage', 'How the service is doing'],
] as const

const pageErrors = errorResponses('InvalidParameter', 'NotFound', 'RateLimited', 'ServiceUnavailable')

const toPageRoute = ([path, operationId, summary]: (typeof pages)[number]) => {
  const [name] = /(?<=\{)\w+/.exec(path) ?? []
  return createRoute({
    method: 'get',
    path,
    operationId,
    tags: ['Console'],
    summary,
    description: 'A page for people. It is the same whatever the path says, and asks this API for what it shows.',
    request: name === undefined ? {} : { params: z.object({ [name]: segmentSchema }) },
    responses: { ...fileResponses('text/html'), ...pageErrors },
  })
}

/** `index-BxKq3_9a.js`, as Vite names them */
const hashedName = /-[\w-]{8}\.\w+$/

const getFileRoute = createRoute({
  method: 'get',
  path: '/assets/{file}',
  tags: ['Console'],
  summary: 'A script or style of the pages',
  description:
    'With a hash of its contents in its name it never changes. `licenses.md` has the licences of the packages in them.',
  request: { params: z.object({ file: fileNameSchema }) },
  responses: { ...fileResponses('text/javascript', 'text/css', 'text/markdown'), ...pageErrors },
})

const getIconRoute = createRoute({
  method: 'get',
  path: '/icon.svg',
  tags: ['Console'],
  summary: 'The icon of the pages',
  responses: { ...fileResponses('image/svg+xml'), ...errorResponses('NotFound', 'RateLimited', 'ServiceUnavailable') },
})

/** The one page of the console, `index.html`, under whatever path it was asked for. */
export const answerPage = (c: Context, findAsset: FindAsset | undefined): Promise<Response> =>
  answerAsset(c, findAsset, `${folder}/index.html`, { cacheControl: cachePolicies.page, contentSecurityPolicy })

/** The pages of the console but `/`, which programs ask for, too (`getIndex`), and what they consist of. */
export const getConsole = (findAsset: FindAsset | undefined) => {
  const app = createApp()
  for (const page of pages) app.openapi(toPageRoute(page), (c) => answerPage(c, findAsset) as never)
  app.openapi(getFileRoute, (c) => {
    const { file } = c.req.valid('param')
    const cacheControl = hashedName.test(file) ? cachePolicies.immutable : cachePolicies.asset
    return answerAsset(c, findAsset, `${folder}/assets/${file}`, { cacheControl, contentSecurityPolicy }) as never
  })
  app.openapi(getIconRoute, (c) => {
    const cacheControl = cachePolicies.asset
    return answerAsset(c, findAsset, `${folder}/icon.svg`, { cacheControl, contentSecurityPolicy }) as never
  })
  return app
}
