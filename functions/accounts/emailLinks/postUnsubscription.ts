import { createRoute, z } from '@hono/zod-openapi'
import { unsubscribe } from '#schema/queries/notifications/subscriptionLinks.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import type { FindDatabase } from '../connectBackend.ts'
import { linkParamsSchema } from '../subscriptions/subscriptionParams.ts'
import { isBrowser, renderPage } from './renderPage.ts'

const postUnsubscriptionRoute = createRoute({
  ...endpoint('postUnsubscription'),
  tags: ['Subscriptions'],
  summary: 'Delete a subscription by its link',
  description: 'Also used by the one-click unsubscribe of mail clients (RFC 8058). Idempotent. Browsers get a page.',
  request: { params: linkParamsSchema },
  responses: {
    200: {
      description: 'the subscription no longer exists',
      content: {
        'application/json': { schema: z.object({ unsubscribed: z.literal(true) }) },
        'text/html': { schema: z.string() },
      },
    },
    ...messageResponses(['InvalidParameter', 'ServiceUnavailable']),
  },
})

/** `POST /subscriptions/unsubscribe/{token}` */
export const postUnsubscription = (findDatabase: FindDatabase) =>
  createApp(auxiliaryFormat).openapi(postUnsubscriptionRoute, async (c) => {
    await unsubscribe(findDatabase(), c.req.valid('param').token)
    if (!isBrowser(c)) return c.json({ unsubscribed: true } as const, 200)
    const { body, headers } = renderPage({ title: 'Unsubscribed', text: 'This subscription has ended.' })
    return c.body(body, 200, headers)
  })
