import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { routes } from '#shared/api/routes.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'

const mediaType = 'application/linkset+json'

const linksSchema = z.array(z.object({ href: z.string(), type: z.string().optional() }))
const linksetSchema = z.object({
  linkset: z.array(z.looseObject({ anchor: z.string(), 'service-desc': linksSchema, 'service-doc': linksSchema })),
})

const getApiCatalogRoute = createRoute({
  ...endpoint('getApiCatalog'),
  tags: ['Agents'],
  summary: 'Catalogue of the APIs',
  description:
    'A link set (RFC 9727, RFC 9264): descriptions, documentation and status of this API and its MCP endpoint.',
  responses: {
    200: { description: 'the link set', content: { [mediaType]: { schema: linksetSchema } } },
    ...errorResponses('RateLimited'),
  },
})

/** References without a host: one response serves every name of the deployment. */
const linkset = [
  {
    anchor: routes.getIndex.path,
    'service-desc': [
      { href: routes.getOpenApi.path, type: 'application/json' },
      { href: routes.getAsyncApi.path, type: 'application/json' },
    ],
    'service-doc': [
      { href: routes.getDocsPage.path, type: 'text/html' },
      { href: routes.getLlmsText.path, type: 'text/plain' },
      { href: routes.getErrors.path },
    ],
    status: [{ href: routes.getStatus.path, type: 'application/json' }],
  },
  {
    anchor: routes.postMcp.path,
    'service-desc': [{ href: 'https://modelcontextprotocol.io/specification/2026-07-28' }],
    'service-doc': [{ href: routes.getLlmsText.path, type: 'text/plain' }],
  },
]

/** `GET /.well-known/api-catalog` */
export const getApiCatalog = () =>
  createApp().openapi(getApiCatalogRoute, (c) =>
    c.json({ linkset }, 200, { 'Content-Type': mediaType, 'Cache-Control': cachePolicies.service }),
  )
