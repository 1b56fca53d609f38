import { createRoute, z } from '@hono/zod-openapi'
import { selectOrders } from '#schema/queries/orders/orders.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { orderResponseSchema, toOrderResponse } from '#shared/orders/orderResponse.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { orderUidInputSchema } from '#shared/validation/chainValues.ts'
import type { OrderReading } from './orderReading.ts'

const maxUids = 128

const uidsSchema = z
  .array(orderUidInputSchema, { error: `an array of at most ${maxUids} order UIDs` })
  .max(maxUids, `at most ${maxUids} order UIDs`)

const postOrdersByUidsRoute = createRoute({
  ...endpoint('postOrdersByUids'),
  tags: ['Orders'],
  summary: 'Read several orders',
  description: 'The existing orders in arbitrary sequence; unknown UIDs are skipped.',
  request: {
    body: { required: true, content: { 'application/json': { schema: uidsSchema, example: [exampleValues.uid] } } },
  },
  responses: {
    200: {
      description: 'the orders found',
      content: { 'application/json': { schema: z.array(z.object({ order: orderResponseSchema })) } },
    },
    ...errorResponses(
      'InvalidParameter',
      'PayloadTooLarge',
      'UnsupportedMediaType',
      'InternalServerError',
      'ServiceUnavailable',
    ),
  },
})

/** `POST /{network}/api/v1/orders/by_uids`: up to 128 orders in one database round trip. */
export const postOrdersByUids = ({ database, chainId, ...deps }: OrderReading) =>
  createApp().openapi(postOrdersByUidsRoute, async (c) => {
    const uids = [...new Set(c.req.valid('json'))]
    const stored = uids.length > 0 ? await selectOrders(database, chainId, uids) : []
    const now = toUnixSeconds(deps.now())
    return c.json(
      stored.map((order) => ({ order: toOrderResponse(order, now, deps.orderAppData) })),
      200,
    )
  })
