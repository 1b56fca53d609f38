import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { addressSchema, orderUidInputSchema } from '#shared/validation/chainValues.ts'
import { type DryRun, dryRunSchema, orderDraftSchema } from './dryRun.ts'
import type { DryRunDeps } from './dryRunDeps.ts'
import { simulateDraft } from './simulateDraft.ts'
import { simulateStoredOrder } from './simulateStoredOrder.ts'

const newestOnly = 'absent: only the newest block is simulated'

const simulationRequestSchema = orderDraftSchema
  .omit({ from: true })
  .extend({
    owner: addressSchema,
    blockNumber: z
      .number({ error: newestOnly })
      .nullish()
      .refine((block) => typeof block !== 'number', newestOnly),
  })
  .openapi('SettlementSimulationRequest')

const simulationSchema = z
  .object({
    tenderlyRequest: z.object({ network_id: z.string(), block_number: z.number().int().nullable() }).openapi({
      description: 'block of the simulation; Tenderly is not used, so there is neither calldata nor a link',
    }),
    error: z.string().nullable().openapi({ description: 'why the order cannot settle; null: no check failed' }),
    checks: dryRunSchema.shape.checks,
  })
  .openapi('SettlementSimulation')

const okResponse = {
  200: { description: 'the simulation', content: { 'application/json': { schema: simulationSchema } } },
}

const postRoute = createRoute({
  ...endpoint('postSettlementSimulation'),
  tags: ['Debug'],
  summary: 'Simulate the settlement of an order',
  description: 'The checks of POST orders/simulate in the response format of the public system.',
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: simulationRequestSchema,
          example: { ...exampleValues.draft, owner: exampleValues.account },
        },
      },
    },
  },
  responses: {
    ...okResponse,
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

const getRoute = createRoute({
  ...endpoint('getSettlementSimulation'),
  tags: ['Debug'],
  summary: 'Simulate the settlement of the remainder of an order',
  description: 'The checks of GET orders/{uid}/simulate in the response format of the public system.',
  request: {
    params: z.object({ uid: orderUidInputSchema }),
    query: z.object({
      block_number: z
        .string()
        .optional()
        .refine((block) => block === undefined, newestOnly),
    }),
  },
  responses: {
    ...okResponse,
    ...errorResponses('InvalidParameter', 'NotFound', 'RateLimited', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/**
 * `POST /{network}/restricted/api/v1/debug/simulation` and `GET …/{uid}`: the dry run in the response format of the
 * public system.
 */
export const settlementSimulation = (deps: DryRunDeps) =>
  createApp()
    .openapi(postRoute, async (c) => {
      const { owner, blockNumber: _, ...order } = c.req.valid('json')
      const dryRun = await simulateDraft(deps, { ...order, from: owner })
      return c.json(toSimulation(deps, dryRun), 200, { 'Cache-Control': cachePolicies.noStore })
    })
    .openapi(getRoute, async (c) => {
      const dryRun = await simulateStoredOrder(deps, c.req.valid('param').uid)
      return c.json(toSimulation(deps, dryRun), 200, { 'Cache-Control': cachePolicies.noStore })
    })

const toSimulation = ({ network }: DryRunDeps, { checks, block }: DryRun) => ({
  tenderlyRequest: { network_id: String(network.chainId), block_number: block },
  error:
    checks
      .filter(({ status }) => status === 'fail')
      .map(({ check, reason }) => `${check}: ${reason}`)
      .join(', ') || null,
  checks,
})
