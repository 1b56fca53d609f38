import { createRoute, z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { orderUidSchema } from '#shared/validation/chainValues.ts'
import {
  answerWithStream,
  type OpenStream,
  resumeQuerySchema,
  streamDescription,
  streamErrors,
  streamResponse,
} from './answerWithStream.ts'
import { orderEventSchema } from './orderEventResponse.ts'

export type GetOrderEventsDeps = {
  selectIsOrder: (uid: Hex) => Promise<boolean>
  openStream: OpenStream
}

const getOrderEventsRoute = createRoute({
  ...endpoint('getOrderEvents'),
  tags: ['Orders'],
  summary: 'Follow an order',
  description: `All past events of an order, then new ones. ${streamDescription}`,
  request: { params: z.object({ uid: orderUidSchema }), query: resumeQuerySchema },
  responses: { 200: streamResponse, ...errorResponses(...streamErrors, 'OrderNotFound') },
})

/** `GET /{network}/api/v1/orders/{uid}/events`. HEAD returns the headers and opens no stream. */
export const getOrderEvents = ({ selectIsOrder, openStream }: GetOrderEventsDeps) => {
  const app = createApp()
  app.openAPIRegistry.register('OrderEvent', orderEventSchema)
  return app.openapi(getOrderEventsRoute, async (c) => {
    const { uid } = c.req.valid('param')
    if (!(await selectIsOrder(uid))) throw new ApiError('OrderNotFound', { data: { uid } })
    return answerWithStream(c, openStream, { orderUid: uid }, c.req.valid('query'))
  })
}
