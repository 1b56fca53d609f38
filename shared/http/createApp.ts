import './describeIssue.ts'

import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { logEntry } from '../logging/logEntry.ts'
import { acceptNulls } from './acceptNulls.ts'
import { cachePolicies } from './cachePolicies.ts'
import { computeRetryAfter, errorCatalogue, linkToError } from './errorCatalogue.ts'
import { type ErrorFormat, orderBookFormat } from './errorFormats.ts'
import { ApiError } from './errors.ts'
import { findRouteTemplate } from './findRouteTemplate.ts'
import { findKnownFields, nameIgnoredFields } from './nameIgnoredFields.ts'
import { fromSchemaError, toApiError } from './toApiError.ts'

/**
 * A Hono app with the conventions of every route: schema failures and thrown `ApiError`s become a body in `format`,
 * with the status of the catalogue, a `Link` to their row, and `Cache-Control: no-store`. A header lists unknown query parameters and unknown
 * fields of a JSON body. A `null` in an optional field of a JSON body means that the field is absent.
 */
export const createApp = (format: ErrorFormat = orderBookFormat): OpenAPIHono => {
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw fromSchemaError(result.error, 'data' in result ? result.data : undefined)
    },
  })
  const { openapi } = app
  app.openapi = ((route: RouteConfig, ...rest: [never]) =>
    openapi(withIgnoredFields(withNulls(route)), ...rest)) as typeof openapi
  app.onError((error, c) => toErrorResponse(c, toApiError(error, c.req.header('Content-Encoding')), format))
  return app
}

const withNulls = (route: RouteConfig): RouteConfig => {
  const { body, ...request } = route.request ?? {}
  const json = body?.content['application/json']
  if (!body || !json || !('schema' in json) || !(json.schema instanceof z.ZodType)) return route
  const content = { ...body.content, 'application/json': { ...json, schema: acceptNulls(json.schema) } }
  return { ...route, request: { ...request, body: { ...body, content } } }
}

const withIgnoredFields = (route: RouteConfig): RouteConfig => {
  const content = route.request?.body?.content['application/json']
  const body = findKnownFields(content && 'schema' in content ? content.schema : undefined)
  const query = findKnownFields(route.request?.query)
  const own = [route.middleware ?? []].flat()
  return body || query ? { ...route, middleware: [nameIgnoredFields({ body, query }), ...own] } : route
}

/** The response to an error. Server errors are logged, with the route and never the path, which may contain keys. */
export const toErrorResponse = (c: Context, error: ApiError, format: ErrorFormat = orderBookFormat): Response => {
  const { status } = errorCatalogue[error.errorType]
  if (status >= 500 || error.context) {
    logEntry({ message: error.errorType, method: c.req.method, route: findRouteTemplate(c), ...error.context })
  }
  c.header('Cache-Control', cachePolicies.noStore)
  c.header('Link', linkToError(error.errorType))
  if (status === 503) c.header('Retry-After', computeRetryAfter(error.errorType))
  return c.json(format(error), status)
}

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** Handles a request without a route: 405 with `Allow` when the path has another method, else 404. */
export const handleNotFound =
  (app: OpenAPIHono, format: ErrorFormat) =>
  (c: Context): Response => {
    const allowed = methods.filter((method) => {
      const [handlers] = app.router.match(method, c.req.path)
      return handlers.some(([[, route]]) => route.method === method)
    })
    if (allowed.length === 0)
      return toErrorResponse(c, new ApiError('NotFound', { data: { path: c.req.path } }), format)
    return refuseMethod(c, allowed, format)
  }

/** 405 with `Allow`. @param allowed the methods of the path, in upper case */
export const refuseMethod = (c: Context, allowed: string[], format: ErrorFormat): Response => {
  c.header('Allow', allowed.join(', '))
  return toErrorResponse(c, new ApiError('MethodNotAllowed', { data: { method: c.req.method, allowed } }), format)
}
