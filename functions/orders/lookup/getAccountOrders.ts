import { createRoute, z } from '@hono/zod-openapi'
import { selectAccountOrders } from '#schema/queries/orders/accountOrders.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { orderResponseSchema, toOrderResponse } from '#shared/orders/orderResponse.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { addressSchema, orderUidInputSchema } from '#shared/validation/chainValues.ts'
import type { OrderReading } from './orderReading.ts'
import { pageFields } from './page.ts'

const pageSchema = z.object({
  ...pageFields('LIMIT_OUT_OF_BOUNDS'),
  cursor: orderUidInputSchema.optional().openapi({
    description: '`X-Next-Cursor` of the previous page; unlike an offset it stays fast, and new orders do not shift it',
  }),
  signed: z
    .enum(['true', 'false'], { error: 'true or false' })
    .transform((value) => value === 'true')
    .optional()
    .openapi({ description: '`false`: only `presign` orders without a pre-signature; `true`: all others' }),
})

const getAccountOrdersRoute = createRoute({
  ...endpoint('getAccountOrders'),
  tags: ['Orders'],
  summary: "List an account's orders",
  description:
    'Orders of one account, without their quotes: orders that it owns and orders that a contract placed on-chain for it, newest ' +
    'first. `presign` orders without a pre-signature come after all others, newest first: anyone can submit one for any ' +
    'owner. `signed=false` lists only those. Unknown accounts return an empty list.',
  request: { params: z.object({ owner: addressSchema }), query: pageSchema },
  responses: {
    200: {
      description: 'the orders',
      content: { 'application/json': { schema: z.array(orderResponseSchema) } },
      headers: z.object({
        Link: z
          .string()
          .optional()
          .openapi({ description: 'the next page, `<?limit=…&cursor=…>; rel="next"`; absent on the last one' }),
        'X-Next-Cursor': z.string().optional().openapi({ description: '`cursor` of the next page' }),
      }),
    },
    ...errorResponses('InvalidParameter', 'LIMIT_OUT_OF_BOUNDS', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/**
 * `GET /{network}/api/v1/account/{owner}/orders`: an owner's orders, signed ones first, newest first. The cursor is the
 * last order of the page; the query fetches one more order to detect a next page.
 */
export const getAccountOrders = ({ database, chainId, ...deps }: OrderReading) =>
  createApp().openapi(getAccountOrdersRoute, async (c) => {
    const { offset, limit, cursor, signed } = c.req.valid('query')
    const found = await selectAccountOrders(database, chainId, c.req.valid('param').owner, {
      offset,
      limit: limit + 1,
      after: cursor,
      signed,
    })
    const page = found.slice(0, limit)
    const last = page.at(-1)
    if (last && found.length > limit) {
      // query only: the path at the gateway is different
      const part = signed === undefined ? '' : `&signed=${signed}`
      c.header('Link', `<?limit=${limit}&cursor=${last.uid}${part}>; rel="next"`)
      c.header('X-Next-Cursor', last.uid)
    }
    const now = toUnixSeconds(deps.now())
    return c.json(
      page.map((order) => toOrderResponse(order, now, deps.orderAppData)),
      200,
    )
  })
