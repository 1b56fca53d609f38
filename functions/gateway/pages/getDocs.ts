import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import type { FindAsset } from './connectAssets.ts'
import { contentSecurityPolicy } from './contentSecurityPolicy.ts'
import { fileNameSchema, fileResponses } from './fileResponses.ts'
import { serveAsset } from './serveAsset.ts'

/** Swagger UI's script sets style attributes. */
const docsPolicy = `${contentSecurityPolicy}; style-src-attr 'unsafe-inline'`

const pageErrors = errorResponses('NotFound', 'RateLimited', 'ServiceUnavailable')
const fileErrors = errorResponses('InvalidParameter', 'NotFound', 'RateLimited', 'ServiceUnavailable')

const getPageRoute = createRoute({
  ...endpoint('getDocsPage'),
  tags: ['Service'],
  summary: 'API documentation',
  description: 'HTML page with every route, its parameters and responses, and a form to try it.',
  responses: { ...fileResponses('text/html'), ...pageErrors },
})

const getFileRoute = createRoute({
  ...endpoint('getDocsFile'),
  tags: ['Service'],
  summary: 'A page of the documentation in Markdown, or a file of its page',
  description: '`/llms.txt` lists the pages.',
  request: { params: z.object({ file: fileNameSchema.openapi({ example: 'docs.js' }) }) },
  responses: {
    ...fileResponses(
      'text/markdown',
      'text/javascript',
      'text/css',
      'font/woff2',
      'image/png',
      'application/octet-stream',
    ),
    ...fileErrors,
  },
})

const getLlmsTextRoute = createRoute({
  ...endpoint('getLlmsText'),
  tags: ['Agents'],
  summary: 'Index for language models',
  description: 'What the service does, its API, the tools of `/mcp` and every page of the documentation (llmstxt.org).',
  responses: { ...fileResponses('text/plain'), ...pageErrors },
})

export type DocsDeps = {
  findAsset: FindAsset | undefined
  /** changes the text of the page for the networks of the deployment */
  fillPage?: ((page: string) => string) | undefined
}

/** `GET /docs`, and `GET /docs/{file}` for the files of the page, of which `GET /llms.txt` is one. */
export const getDocs = ({ findAsset, fillPage }: DocsDeps) => {
  const serve = (c: Context, path: string, fill?: (text: string) => string) =>
    serveAsset(c, findAsset, path, { cacheControl: cachePolicies.asset, contentSecurityPolicy: docsPolicy, fill })
  const app = createApp()
  app.openapi(getPageRoute, (c) => serve(c, '/docs/index.html', fillPage))
  app.openapi(getFileRoute, (c) => serve(c, `/docs/${c.req.valid('param').file}`))
  app.openapi(getLlmsTextRoute, (c) => serve(c, '/docs/llms.txt'))
  return app
}
