import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { linkParamsSchema } from '../subscriptions/subscriptionParams.ts'
import { renderPage } from './renderPage.ts'

const getUnsubscriptionRoute = createRoute({
  ...endpoint('getUnsubscription'),
  tags: ['Subscriptions'],
  summary: 'Unsubscribe page',
  description:
    'Target of an unsubscribe link. Read-only, because link scanners open it, too; its button posts to the same path.',
  request: { params: linkParamsSchema },
  responses: {
    200: { description: 'a page with one button', content: { 'text/html': { schema: z.string() } } },
    ...messageResponses(['InvalidParameter', 'ServiceUnavailable']),
  },
})

/** `GET /subscriptions/unsubscribe/{token}`: the same page for every token. */
export const getUnsubscription = ({ serviceName }: { serviceName: string }) =>
  createApp(auxiliaryFormat).openapi(getUnsubscriptionRoute, async (c) => {
    const { body, headers } = renderPage({
      title: 'Unsubscribe',
      text: `${serviceName} will stop sending messages for this subscription.`,
      button: 'Unsubscribe',
    })
    return c.body(body, 200, headers)
  })
