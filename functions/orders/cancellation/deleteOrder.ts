import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { orderUidInputSchema } from '#shared/validation/chainValues.ts'
import { cancellationFields, cancellationResponses } from './cancellation.ts'
import { type CancellationDeps, cancelOrders } from './cancelOrders.ts'
import { computeCancellationDigest } from './computeCancellationDigest.ts'

const cancellationSchema = z.object(cancellationFields).openapi('OrderCancellation')

const deleteOrderRoute = createRoute({
  ...endpoint('deleteOrder'),
  tags: ['Orders'],
  summary: 'Cancel an order',
  description:
    'Cancels one order off-chain. Its owner signs `OrderCancellation(bytes orderUid)` in the domain of the orders. ' +
    'Prefer `DELETE /api/v1/orders`, whose typed data the official SDK signs.',
  deprecated: true,
  request: {
    params: z.object({ uid: orderUidInputSchema }),
    body: {
      required: true,
      content: { 'application/json': { schema: cancellationSchema, example: exampleValues.cancellation } },
    },
  },
  responses: cancellationResponses,
})

/** `DELETE /{network}/api/v1/orders/{uid}`: cancels one order. */
export const deleteOrder = (deps: CancellationDeps) =>
  createApp().openapi(deleteOrderRoute, async (c) => {
    const { uid } = c.req.valid('param')
    const digest = computeCancellationDigest(deps.domainSeparator, uid)
    const inFlight = await cancelOrders(deps, { ...c.req.valid('json'), orderUids: [uid], digest })
    if (inFlight) c.header('X-Order-In-Flight', inFlight)
    c.header('Cache-Purge', `order:${uid}`)
    return c.json('Cancelled' as const, 200)
  })
