import { createRoute, z } from '@hono/zod-openapi'
import { confirmSubscription } from '#schema/queries/notifications/confirmSubscription.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import type { FindDatabase } from '../connectBackend.ts'
import { linkParamsSchema } from '../subscriptions/subscriptionParams.ts'
import { oldLinkPage } from './getConfirmation.ts'
import { isBrowser, renderPage } from './renderPage.ts'

const postConfirmationRoute = createRoute({
  ...endpoint('postConfirmation'),
  tags: ['Subscriptions'],
  summary: 'Confirm an e-mail address',
  description: 'By the token of the link in the confirmation mail, once, within a day. Browsers get a page.',
  request: { params: linkParamsSchema },
  responses: {
    200: {
      description: 'the address is confirmed; the page for browsers may say that the link is used or expired',
      content: {
        'application/json': { schema: z.object({ confirmed: z.literal(true) }) },
        'text/html': { schema: z.string() },
      },
    },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable'], {
      NotFound: 'the link is used or expired',
    }),
  },
})

/** `POST /subscriptions/confirm/{token}` */
export const postConfirmation = (findDatabase: FindDatabase) =>
  createApp(auxiliaryFormat).openapi(postConfirmationRoute, async (c) => {
    const subscription = await confirmSubscription(findDatabase(), c.req.valid('param').token)
    if (isBrowser(c)) {
      const { body, headers } = renderPage(
        subscription
          ? { title: 'Confirmed', text: `You will receive e-mails about the orders of ${subscription.account}.` }
          : oldLinkPage,
      )
      return c.body(body, 200, headers)
    }
    if (!subscription) throw new ApiError('NotFound', { description: 'the link is used or expired' })
    return c.json({ confirmed: true } as const, 200)
  })
