import { createRoute, z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import type { DebugFacts } from '#schema/queries/debugReport.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { OrderAppData } from '#shared/orders/orderResponse.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { orderUidSchema } from '#shared/validation/hex.ts'
import { hasBearerToken } from './hasBearerToken.ts'
import { debugReportSchema, toDebugReport } from './toDebugReport.ts'

export type DebugReportDeps = {
  /** when set, the report asks for it as a bearer token */
  token: string | undefined
  findReport: (uid: Hex) => Promise<{ order: StoredOrder; facts: DebugFacts } | undefined>
  /** Unix seconds */
  now: () => number
  orderAppData?: OrderAppData
}

const debugReportRoute = <Path extends string>(path: Path) =>
  createRoute({
    method: 'get',
    path,
    tags: ['Debug'],
    summary: 'Everything that happened to one order',
    request: { params: z.object({ uid: orderUidSchema }) },
    responses: {
      200: { description: 'the report', content: { 'application/json': { schema: debugReportSchema } } },
      ...errorResponses('InvalidParameter', 'Unauthorized', 'NotFound', 'InternalServerError', 'ServiceUnavailable'),
    },
  })

/** `GET /{network}/api/v1/debug/order/{uid}`, also under `/restricted`: why an order was filled, or was not. */
export const getDebugReport = (deps: DebugReportDeps) => {
  const app = createApp()
  for (const path of ['/api/v1/debug/order/{uid}', '/restricted/api/v1/debug/order/{uid}'] as const) {
    app.openapi(debugReportRoute(path), async (c) => {
      if (deps.token !== undefined && !hasBearerToken(c.req.header('Authorization'), deps.token)) {
        c.header('WWW-Authenticate', 'Bearer')
        throw new ApiError('Unauthorized')
      }
      const { uid } = c.req.valid('param')
      const found = await deps.findReport(uid)
      if (!found) throw new ApiError('NotFound', { description: 'order not found', data: { uid } })
      return c.json(toDebugReport(found.order, found.facts, deps.now(), deps.orderAppData), 200, {
        'Cache-Control': cachePolicies.noStore,
      })
    })
  }
  return app
}
