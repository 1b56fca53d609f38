import { createRoute, z } from '@hono/zod-openapi'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import { selectIsOrder } from '#schema/queries/events/newOrderEvents.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { unpackOrderUid } from '#shared/signing/orderUid.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { orderUidInputSchema } from '#shared/validation/chainValues.ts'
import {
  answerWithStream,
  type OpenStream,
  resumeQuerySchema,
  streamDescription,
  streamErrors,
  streamResponse,
} from './answerWithStream.ts'
import { conditionalEventSchema } from './conditionalEventResponse.ts'
import { orderEventSchema } from './orderEventResponse.ts'

type OrderEventsDeps = {
  openStream: OpenStream
  /** Unix milliseconds */
  now: () => number
}

const getOrderEventsRoute = createRoute({
  ...endpoint('getOrderEvents'),
  tags: ['Orders'],
  summary: 'Follow an order',
  description: `All past events of an order, then new ones. The stream of an unknown order waits for it; it is 404 only when its \`validTo\` has passed. ${streamDescription}`,
  request: { params: z.object({ uid: orderUidInputSchema }), query: resumeQuerySchema },
  responses: { 200: streamResponse, ...errorResponses(...streamErrors, 'OrderNotFound') },
})

/**
 * `GET /{network}/api/v1/orders/{uid}/events`. HEAD returns the headers and opens no stream. An unknown order may be
 * one that was placed on-chain and is not indexed yet, and an EventSource never reconnects after a 404: its stream
 * waits, until the UID's `validTo`.
 */
export const getOrderEvents = ({ database, chainId, openStream, now }: NetworkDatabase & OrderEventsDeps) => {
  const app = createApp()
  app.openAPIRegistry.register('OrderEvent', orderEventSchema)
  app.openAPIRegistry.register('ConditionalEvent', conditionalEventSchema)
  return app.openapi(getOrderEventsRoute, async (c) => {
    const { uid } = c.req.valid('param')
    const isKnown = await selectIsOrder(database, chainId, uid)
    if (!isKnown && unpackOrderUid(uid).validTo < toUnixSeconds(now())) {
      throw new ApiError('OrderNotFound', { data: { uid } })
    }
    return answerWithStream(c, openStream, { orderUid: uid }, c.req.valid('query'))
  })
}
