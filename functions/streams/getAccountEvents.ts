import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import {
  answerWithStream,
  type OpenStream,
  resumeQuerySchema,
  streamDescription,
  streamErrors,
  streamResponse,
} from './answerWithStream.ts'

const getAccountEventsRoute = createRoute({
  ...endpoint('getAccountEvents'),
  tags: ['Orders'],
  summary: "Follow an account's orders",
  description: `New events of the orders of an account: those that it owns and those that a contract placed on-chain for it. \`conditional_order\` has a \`ConditionalEvent\` of one of its conditional orders. The first event is \`position\`, with \`{}\` and the \`id:\` from which a client can resume. ${streamDescription}`,
  request: { params: z.object({ owner: addressSchema }), query: resumeQuerySchema },
  responses: { 200: streamResponse, ...errorResponses(...streamErrors) },
})

/** `GET /{network}/api/v1/account/{owner}/orders/events`. HEAD returns the headers and opens no stream. */
export const getAccountEvents = ({ openStream }: { openStream: OpenStream }) =>
  createApp().openapi(getAccountEventsRoute, (c) =>
    answerWithStream(c, openStream, { account: c.req.valid('param').owner }, c.req.valid('query')),
  )
