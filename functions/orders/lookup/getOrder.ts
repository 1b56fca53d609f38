import { createRoute, z } from '@hono/zod-openapi'
import { selectOrder } from '#schema/queries/orders/orders.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { matchesEtag } from '#shared/http/matchesEtag.ts'
import { orderResponseSchema, toOrderResponse } from '#shared/orders/orderResponse.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { orderUidInputSchema } from '#shared/validation/chainValues.ts'
import { isLive } from './isLive.ts'
import type { OrderReading } from './orderReading.ts'

const maxWaitSeconds = 30
const waitMessage = `an integer of seconds from 0 to ${maxWaitSeconds}`
const waitSchema = z.coerce
  .number({ error: waitMessage })
  .int(waitMessage)
  .min(0, waitMessage)
  .max(maxWaitSeconds, waitMessage)
  .optional()
  .openapi({ description: 'seconds to wait for a change', example: maxWaitSeconds })

const getOrderRoute = createRoute({
  ...endpoint('getOrder'),
  tags: ['Orders'],
  summary: 'Read an order',
  description:
    'The order with its status and executed amounts. Returns 304 when `If-None-Match` has its ETag. With `wait` the response ' +
    'comes when the order changes: it then differs from the ETag of `If-None-Match`, or without one from its state at the ' +
    'request. After `wait` seconds the unchanged order follows, or 304. An order in a final state is sent at once. A wait ' +
    'counts as one of the order streams of its client.',
  request: {
    params: z.object({ uid: orderUidInputSchema }),
    headers: z.object({
      'if-none-match': z.string().optional().openapi({ description: 'ETag of the order as the client knows it' }),
    }),
    // the gateway waits, between two reads of this route
    query: z.object({ wait: waitSchema }),
  },
  responses: {
    200: { description: 'the order', content: { 'application/json': { schema: orderResponseSchema } } },
    304: { description: 'not modified since the ETag of `If-None-Match`' },
    ...errorResponses('InvalidParameter', 'NotFound', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/**
 * `GET /{network}/api/v1/orders/{uid}`: one order. Its ETag is the row's version, the status, which also changes
 * with time, and whether its document is known.
 */
export const getOrder = ({ database, chainId, ...deps }: OrderReading) =>
  createApp().openapi(getOrderRoute, async (c) => {
    const { uid } = c.req.valid('param')
    const stored = await selectOrder(database, chainId, uid)
    if (!stored) throw new ApiError('NotFound', { description: 'Order was not found', data: { uid } })
    const now = toUnixSeconds(deps.now())
    const order = toOrderResponse(stored, now, deps.orderAppData)
    // the document of an on-chain order may be uploaded later, which leaves its row as it is
    const etag = `W/"${stored.version}-${order.status}${stored.fullAppData === null ? '-hash' : ''}"`
    c.header('ETag', etag)
    c.header('Cache-Control', isLive(stored, now) ? cachePolicies.live : cachePolicies.terminal)
    if (matchesEtag(c.req.header('If-None-Match'), etag)) return c.body(null, 304)
    return c.json(order, 200)
  })
