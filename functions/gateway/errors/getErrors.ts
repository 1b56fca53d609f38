import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { type ErrorClass, type ErrorType, errorCatalogue, errorClasses } from '#shared/http/errorCatalogue.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { contentSecurityPolicy } from '../pages/contentSecurityPolicy.ts'
import { prefersHtml } from '../pages/prefersHtml.ts'
import { securityHeaders } from '../pages/serveAsset.ts'
import { renderErrorsPage } from './renderErrorsPage.ts'

const classNames = Object.keys(errorClasses) as ErrorClass[]
const errorTypes = Object.keys(errorCatalogue) as ErrorType[]

const catalogueSchema = z
  .object({
    classes: z.array(z.object({ class: z.enum(classNames), meaning: z.string() })),
    errors: z.array(
      z.object({
        errorType: z.enum(errorTypes),
        code: z.number().int().openapi({ description: 'never changes and is never used again', example: 5001 }),
        status: z.number().int().openapi({ description: 'HTTP status' }),
        class: z.enum(classNames),
        description: z.string().openapi({ description: 'meaning' }),
        cure: z.string().openapi({ description: 'what the client can do; Markdown' }),
      }),
    ),
  })
  .openapi('ErrorCatalogue')

export type PublishedErrors = z.infer<typeof catalogueSchema>

const getErrorsRoute = createRoute({
  ...endpoint('getErrors'),
  tags: ['Service'],
  summary: 'Catalogue of errors',
  description:
    'Every `errorType` with its code, HTTP status, class, meaning and cure. Each error response has the header `Link: </errors#…>; rel="help"` with its type, also in the auxiliary API, whose errors have no `errorType`. Browsers, whose `Accept` prefers `text/html`, get a page.',
  responses: {
    200: {
      description: 'the catalogue, or the page',
      content: { 'application/json': { schema: catalogueSchema }, 'text/html': { schema: z.string() } },
    },
    ...errorResponses('RateLimited'),
  },
})

/** `GET /errors` */
export const getErrors = () => {
  const catalogue: PublishedErrors = {
    classes: classNames.map((name) => ({ class: name, meaning: errorClasses[name] })),
    errors: errorTypes.map((errorType) => ({ errorType, ...errorCatalogue[errorType] })),
  }
  return createApp().openapi(getErrorsRoute, (c) => {
    c.header('Vary', 'Accept')
    if (!prefersHtml(c.req.header('Accept'))) return c.json(catalogue, 200)
    for (const [name, value] of Object.entries(securityHeaders)) c.header(name, value)
    c.header('Content-Security-Policy', contentSecurityPolicy)
    return c.html(renderErrorsPage(), 200)
  })
}
