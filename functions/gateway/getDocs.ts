import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { FindAsset } from './connectAssets.ts'

/** Everything from here, nothing inline but the style attributes that the page's own script sets, no frame around it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const fileSchema = z.string().regex(/^[\w-][\w.-]{0,63}$/, 'the name of a file')

const pageErrors = errorResponses('NotFound', 'RateLimited', 'ServiceUnavailable')
const fileErrors = errorResponses('InvalidParameter', 'NotFound', 'RateLimited', 'ServiceUnavailable')

const filesOf = (...contentTypes: string[]) => ({
  200: {
    description: 'the file',
    content: Object.fromEntries(contentTypes.map((type) => [type, { schema: z.string() }])),
  },
  304: { description: 'the file is as `If-None-Match` says' },
})

const getPageRoute = createRoute({
  method: 'get',
  path: '/docs',
  tags: ['Service'],
  summary: 'This document as a page',
  description: 'For people: every route with its parameters and answers, which can be tried out.',
  responses: { ...filesOf('text/html'), ...pageErrors },
})

const getFileRoute = createRoute({
  method: 'get',
  path: '/docs/{file}',
  tags: ['Service'],
  summary: 'A script, style or image of the page',
  request: { params: z.object({ file: fileSchema }) },
  responses: { ...filesOf('text/javascript', 'text/css', 'image/png', 'application/octet-stream'), ...fileErrors },
})

/** `GET /docs`, and `GET /docs/{file}` for what the page consists of. */
export const getDocs = (findAsset: FindAsset | undefined) => {
  const answer = async (c: Context, path: string): Promise<Response> => {
    if (!findAsset) throw new ApiError('ServiceUnavailable', { context: { cause: 'no binding ASSETS' } })
    const file = await findAsset(path, c.req.raw)
    if (file.status === 404) throw new ApiError('NotFound', { data: { path: c.req.path } })
    if (file.status !== 200 && file.status !== 304)
      throw new ApiError('ServiceUnavailable', { context: { cause: `ASSETS answers ${file.status}` } })
    const response = new Response(file.body, file)
    response.headers.set('Cache-Control', cachePolicies.asset)
    response.headers.set('Content-Security-Policy', contentSecurityPolicy)
    response.headers.set('Referrer-Policy', 'no-referrer')
    response.headers.set('X-Content-Type-Options', 'nosniff')
    return response
  }
  const app = createApp()
  app.openapi(getPageRoute, (c) => answer(c, '/docs/index.html') as never)
  app.openapi(getFileRoute, (c) => answer(c, `/docs/${c.req.valid('param').file}`) as never)
  return app
}
