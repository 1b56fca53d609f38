import { createRoute, z } from '@hono/zod-openapi'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import { selectIsOrder } from '#schema/queries/events/newOrderEvents.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { orderUidInputSchema } from '#shared/validation/chainValues.ts'
import {
  answerWithStream,
  type OpenStream,
  resumeQuerySchema,
  streamDescription,
  streamErrors,
  streamResponse,
} from './answerWithStream.ts'
import { orderEventSchema } from './orderEventResponse.ts'

const getOrderEventsRoute = createRoute({
  ...endpoint('getOrderEvents'),
  tags: ['Orders'],
  summary: 'Follow an order',
  description: `All past events of an order, then new ones. ${streamDescription}`,
  request: { params: z.object({ uid: orderUidInputSchema }), query: resumeQuerySchema },
  responses: { 200: streamResponse, ...errorResponses(...streamErrors, 'OrderNotFound') },
})

/** `GET /{network}/api/v1/orders/{uid}/events`. HEAD returns the headers and opens no stream. */
export const getOrderEvents = ({ database, chainId, openStream }: NetworkDatabase & { openStream: OpenStream }) => {
  const app = createApp()
  app.openAPIRegistry.register('OrderEvent', orderEventSchema)
  return app.openapi(getOrderEventsRoute, async (c) => {
    const { uid } = c.req.valid('param')
    if (!(await selectIsOrder(database, chainId, uid))) throw new ApiError('OrderNotFound', { data: { uid } })
    return answerWithStream(c, openStream, { orderUid: uid }, c.req.valid('query'))
  })
}
