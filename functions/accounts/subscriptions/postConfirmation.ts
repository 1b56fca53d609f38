import { createRoute, z } from '@hono/zod-openapi'
import type { Subscription } from '#schema/queries/subscriptions.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { ApiError } from '#shared/http/errors.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { oldLinkPage } from './getConfirmation.ts'
import { isBrowser, renderPage } from './renderPage.ts'
import { tokenParamsSchema } from './subscriptionParams.ts'

export type PostConfirmationDeps = { confirmSubscription: (token: string) => Promise<Subscription | undefined> }

const postConfirmationRoute = createRoute({
  method: 'post',
  path: '/subscriptions/confirm/{token}',
  tags: ['Subscriptions'],
  summary: 'Confirm an e-mail address',
  description: 'By the token of the link that was mailed to it, once, within a day. A browser is answered with a page.',
  request: { params: tokenParamsSchema },
  responses: {
    200: {
      description: 'it is confirmed; a page may say that the link is used or too old',
      content: {
        'application/json': { schema: z.object({ confirmed: z.literal(true) }) },
        'text/html': { schema: z.string() },
      },
    },
    ...messageResponses(['InvalidParameter', 'NotFound', 'ServiceUnavailable'], {
      NotFound: 'the link is used or too old',
    }),
  },
})

/** `POST /subscriptions/confirm/{token}` */
export const postConfirmation = (deps: PostConfirmationDeps) =>
  createApp(auxiliaryFormat).openapi(postConfirmationRoute, async (c) => {
    const subscription = await deps.confirmSubscription(c.req.valid('param').token)
    if (isBrowser(c)) {
      const { body, headers } = renderPage(
        subscription
          ? { title: 'Confirmed', text: `You will be mailed what happens to the orders of ${subscription.account}.` }
          : oldLinkPage,
      )
      return c.body(body, 200, headers)
    }
    if (!subscription) throw new ApiError('NotFound', { description: 'the link is used or too old' })
    return c.json({ confirmed: true } as const, 200)
  })
