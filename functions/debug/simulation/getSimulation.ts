import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { orderUidInputSchema } from '#shared/validation/chainValues.ts'
import { dryRunSchema } from './dryRun.ts'
import type { DryRunDeps } from './dryRunDeps.ts'
import { simulateStoredOrder } from './simulateStoredOrder.ts'

const getSimulationRoute = createRoute({
  ...endpoint('getSimulation'),
  tags: ['Debug'],
  summary: 'Dry run of a placed order',
  description: 'The checklist of POST orders/simulate for the remainder of a placed order.',
  request: { params: z.object({ uid: orderUidInputSchema }) },
  responses: {
    200: { description: 'the checklist', content: { 'application/json': { schema: dryRunSchema } } },
    ...errorResponses('InvalidParameter', 'NotFound', 'RateLimited', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/orders/{uid}/simulate`: dry run of an order's remainder. */
export const getSimulation = (deps: DryRunDeps) =>
  createApp().openapi(getSimulationRoute, async (c) =>
    c.json(await simulateStoredOrder(deps, c.req.valid('param').uid), 200, { 'Cache-Control': cachePolicies.noStore }),
  )
