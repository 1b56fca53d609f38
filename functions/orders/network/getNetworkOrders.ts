import { createRoute, z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import { selectNetworkOrders } from '#schema/queries/explorer/networkOrders.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { filteredFields, orderResponseSchema, toOrderResponse } from '#shared/orders/orderResponse.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import { cursorSchema, listLimitSchema, nextPageHeaders, toNextPageHeaders } from '#shared/validation/listPage.ts'
import type { OrderReading } from '../lookup/orderReading.ts'

const querySchema = z.object({
  status: filteredFields.status.optional(),
  kind: filteredFields.kind.optional(),
  token: addressSchema.optional().openapi({ description: 'sold or bought' }),
  owner: addressSchema.optional().openapi({ description: 'owns the order, or had a contract place it on-chain' }),
  partiallyFilled: z
    .literal('true', { error: 'true' })
    .optional()
    .openapi({ description: 'traded, but not to the end, whatever the status is now' }),
  limit: listLimitSchema,
  cursor: cursorSchema(/^(?:0x)?[0-9a-fA-F]{112}$/, (text): Hex => `0x${text.slice(-112).toLowerCase()}`),
})

const getNetworkOrdersRoute = createRoute({
  ...endpoint('getNetworkOrders'),
  tags: ['Orders'],
  summary: "List a network's orders",
  description:
    'Orders of all accounts, without their quotes, newest first. All given filters apply. `presign` orders without a ' +
    'pre-signature are listed with `status=presignaturePending` only: anyone can submit one for any owner. A page reads at ' +
    'most 1000 orders that its filters exclude, so with several filters a page may be short or empty and still have a next one.',
  request: { query: querySchema },
  responses: {
    200: {
      description: 'the orders',
      content: { 'application/json': { schema: z.array(orderResponseSchema) } },
      headers: nextPageHeaders,
    },
    ...errorResponses('InvalidParameter', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/explorer/orders`: orders of a network; the cursor is a UID. */
export const getNetworkOrders = ({ database, chainId, ...deps }: OrderReading) =>
  createApp().openapi(getNetworkOrdersRoute, async (c) => {
    const { limit, cursor, partiallyFilled, ...terms } = c.req.valid('query')
    const filter = { ...terms, ...(partiallyFilled ? { isPartlyFilled: true as const } : {}) }
    const now = toUnixSeconds(deps.now())
    const { orders, next } = await selectNetworkOrders(database, chainId, filter, { after: cursor, limit, now })
    return c.json(
      orders.map((order) => toOrderResponse(order, now, deps.orderAppData)),
      200,
      { ...toNextPageHeaders(c.req.url, next), 'Cache-Control': cachePolicies.recent },
    )
  })
