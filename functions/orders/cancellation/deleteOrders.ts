import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { orderUidInputSchema } from '#shared/validation/chainValues.ts'
import { cancellationFields, cancellationResponses } from './cancellation.ts'
import { type CancellationDeps, cancelOrders } from './cancelOrders.ts'
import { computeCancellationsDigest } from './computeCancellationsDigest.ts'

const maxUids = 128

const cancellationsSchema = z
  .object({
    orderUids: z
      .array(orderUidInputSchema, { error: `an array of at most ${maxUids} order UIDs` })
      .max(maxUids, `at most ${maxUids} order UIDs`)
      .openapi({ description: 'orders of one owner, in the signed order' }),
    ...cancellationFields,
  })
  .openapi('OrderCancellations')

const deleteOrdersRoute = createRoute({
  ...endpoint('deleteOrders'),
  tags: ['Orders'],
  summary: 'Cancel orders',
  description:
    'Cancels orders of one owner off-chain, all of them or none. The owner signs ' +
    '`OrderCancellations(bytes[] orderUids)` in the domain of the orders.',
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: cancellationsSchema,
          example: { orderUids: [exampleValues.uid], ...exampleValues.cancellation },
        },
      },
    },
  },
  responses: cancellationResponses,
})

/** `DELETE /{network}/api/v1/orders`: cancels up to 128 orders in two database round trips. */
export const deleteOrders = (deps: CancellationDeps) =>
  createApp().openapi(deleteOrdersRoute, async (c) => {
    const cancellations = c.req.valid('json')
    const digest = computeCancellationsDigest(deps.domainSeparator, cancellations.orderUids)
    const inFlight = await cancelOrders(deps, { ...cancellations, digest })
    if (inFlight) c.header('X-Order-In-Flight', inFlight)
    c.header('Cache-Purge', cancellations.orderUids.map((uid) => `order:${uid}`).join(','))
    return c.json('Cancelled' as const, 200)
  })
