import { createRoute, z } from '@hono/zod-openapi'
import type { Subscription } from '#schema/queries/subscriptions.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { renderPage } from './renderPage.ts'
import { tokenParamsSchema } from './subscriptionParams.ts'

export type GetConfirmationDeps = {
  serviceName: string
  selectUnconfirmed: (token: string) => Promise<Subscription | undefined>
}

const getConfirmationRoute = createRoute({
  method: 'get',
  path: '/subscriptions/confirm/{token}',
  tags: ['Subscriptions'],
  summary: 'The page behind the link of a confirmation mail',
  description:
    'Changes nothing, since programs that look for bad links open it too; its button posts to the same path.',
  request: { params: tokenParamsSchema },
  responses: {
    200: {
      description: 'a page with one button, or one that says that the link is used or too old',
      content: { 'text/html': { schema: z.string() } },
    },
    ...messageResponses(['InvalidParameter', 'ServiceUnavailable']),
  },
})

/** What a link says that is used, too old or none. */
export const oldLinkPage = {
  title: 'This link does not work any more',
  text: 'It was used already, or is older than a day. Subscribe again to get a new one.',
}

/** `GET /subscriptions/confirm/{token}` */
export const getConfirmation = (deps: GetConfirmationDeps) =>
  createApp(auxiliaryFormat).openapi(getConfirmationRoute, async (c) => {
    const subscription = await deps.selectUnconfirmed(c.req.valid('param').token)
    const { body, headers } = renderPage(
      subscription
        ? {
            title: 'Confirm your subscription',
            text: `${deps.serviceName} will mail you what happens to the orders of ${subscription.account}. Leave this page if you did not ask for that.`,
            button: 'Confirm',
          }
        : oldLinkPage,
    )
    return c.body(body, 200, headers)
  })
