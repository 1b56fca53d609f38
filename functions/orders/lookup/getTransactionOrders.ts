import { createRoute, z } from '@hono/zod-openapi'
import { selectTransactionOrders } from '#schema/queries/orders/orders.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { orderResponseSchema, toOrderResponse } from '#shared/orders/orderResponse.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { hashInputSchema } from '#shared/validation/chainValues.ts'
import type { OrderReading } from './orderReading.ts'

const getTransactionOrdersRoute = createRoute({
  ...endpoint('getTransactionOrders'),
  tags: ['Orders'],
  summary: "List a transaction's orders",
  description:
    'Orders traded in a transaction, newest first, without their quotes. Unknown transactions return an empty list.',
  request: { params: z.object({ hash: hashInputSchema }) },
  responses: {
    200: {
      description: 'the orders',
      content: { 'application/json': { schema: z.array(orderResponseSchema) } },
    },
    ...errorResponses('InvalidParameter', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/transactions/{hash}/orders`: orders traded by all settlements of a transaction. */
export const getTransactionOrders = ({ database, chainId, ...deps }: OrderReading) =>
  createApp().openapi(getTransactionOrdersRoute, async (c) => {
    const stored = await selectTransactionOrders(database, chainId, c.req.valid('param').hash)
    const now = toUnixSeconds(deps.now())
    return c.json(
      stored.map((order) => toOrderResponse(order, now, deps.orderAppData)),
      200,
    )
  })
