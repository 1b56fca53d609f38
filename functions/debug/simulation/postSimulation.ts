import { createRoute } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { dryRunSchema, orderDraftSchema } from './dryRun.ts'
import type { DryRunDeps } from './dryRunDeps.ts'
import { simulateDraft } from './simulateDraft.ts'

const postSimulationRoute = createRoute({
  ...endpoint('postSimulation'),
  tags: ['Debug'],
  summary: 'Dry run of an order',
  description:
    'Simulates an order in the shape of POST orders, signed or unsigned, on the newest block and returns a checklist: what ' +
    'passes, what fails and why, and what was skipped. Stores nothing. After a partial fill the remainder is simulated.',
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: orderDraftSchema,
          example: { ...exampleValues.draft, from: exampleValues.account, signingScheme: 'eip712' },
        },
      },
    },
  },
  responses: {
    200: { description: 'the checklist', content: { 'application/json': { schema: dryRunSchema } } },
    ...errorResponses(
      'InvalidParameter',
      'SellAmountOverflow',
      'BuyAmountOverflow',
      'PayloadTooLarge',
      'UnsupportedMediaType',
      'RateLimited',
      'InternalServerError',
      'ServiceUnavailable',
    ),
  },
})

/** `POST /{network}/api/v1/orders/simulate`: dry run of an order that need not be placed. */
export const postSimulation = (deps: DryRunDeps) =>
  createApp().openapi(postSimulationRoute, async (c) =>
    c.json(await simulateDraft(deps, c.req.valid('json')), 200, { 'Cache-Control': cachePolicies.noStore }),
  )
