import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { orderUidSchema } from '#shared/validation/hex.ts'
import { dryRunSchema } from './dryRun.ts'
import { type DryRunDeps, simulateStoredOrder } from './simulateOrder.ts'

const getSimulationRoute = createRoute({
  ...endpoint('getSimulation'),
  tags: ['Debug'],
  summary: 'Would what is left of this order settle now?',
  description: 'The checklist of POST orders/simulate for an order that was placed.',
  request: { params: z.object({ uid: orderUidSchema }) },
  responses: {
    200: { description: 'the checklist', content: { 'application/json': { schema: dryRunSchema } } },
    ...errorResponses('InvalidParameter', 'NotFound', 'RateLimited', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/orders/{uid}/simulate`: a dry run of the rest of an order. */
export const getSimulation = (deps: DryRunDeps) =>
  createApp().openapi(getSimulationRoute, async (c) =>
    c.json(await simulateStoredOrder(deps, c.req.valid('param').uid), 200, { 'Cache-Control': cachePolicies.noStore }),
  )
