import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import type { Page } from '#schema/queries/orders.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { orderResponseSchema, toOrderResponse } from '#shared/orders/orderResponse.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { addressSchema } from '#shared/validation/address.ts'
import { pageFields } from './page.ts'

export type GetAccountOrdersDeps = {
  /** Unix seconds */
  now: () => number
  selectAccountOrders: (owner: Address, page: Page) => Promise<StoredOrder[]>
}

const getAccountOrdersRoute = createRoute({
  method: 'get',
  path: '/api/v1/account/{owner}/orders',
  tags: ['Orders'],
  summary: "List an account's orders",
  description: 'Orders of one owner, newest first, without their quotes. An unknown owner has none.',
  request: { params: z.object({ owner: addressSchema }), query: z.object(pageFields('LIMIT_OUT_OF_BOUNDS')) },
  responses: {
    200: { description: 'the orders', content: { 'application/json': { schema: z.array(orderResponseSchema) } } },
    ...errorResponses('InvalidParameter', 'LIMIT_OUT_OF_BOUNDS', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/account/{owner}/orders`: an owner's orders, newest first. */
export const getAccountOrders = (deps: GetAccountOrdersDeps) =>
  createApp().openapi(getAccountOrdersRoute, async (c) => {
    const stored = await deps.selectAccountOrders(c.req.valid('param').owner, c.req.valid('query'))
    const now = deps.now()
    return c.json(
      stored.map((order) => toOrderResponse(order, now)),
      200,
    )
  })
