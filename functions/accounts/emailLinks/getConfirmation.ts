import { createRoute, z } from '@hono/zod-openapi'
import { selectUnconfirmed } from '#schema/queries/notifications/confirmSubscription.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import type { FindDatabase } from '../connectBackend.ts'
import { linkParamsSchema } from '../subscriptions/subscriptionParams.ts'
import { renderPage } from './renderPage.ts'

export type GetConfirmationDeps = {
  serviceName: string
  findDatabase: FindDatabase
}

const getConfirmationRoute = createRoute({
  ...endpoint('getConfirmation'),
  tags: ['Subscriptions'],
  summary: 'Confirmation page of an e-mail address',
  description:
    'Target of the link in a confirmation mail. Read-only, because link scanners open it, too; its button posts to the same path.',
  request: { params: linkParamsSchema },
  responses: {
    200: {
      description: 'a page with one button, or with the message that the link is used or expired',
      content: { 'text/html': { schema: z.string() } },
    },
    ...messageResponses(['InvalidParameter', 'ServiceUnavailable']),
  },
})

/** Page of a used, expired or unknown link. */
export const oldLinkPage = {
  title: 'This link no longer works',
  text: 'It was already used, or is older than a day. Subscribe again to get a new one.',
}

/** `GET /subscriptions/confirm/{token}` */
export const getConfirmation = (deps: GetConfirmationDeps) =>
  createApp(auxiliaryFormat).openapi(getConfirmationRoute, async (c) => {
    const subscription = await selectUnconfirmed(deps.findDatabase(), c.req.valid('param').token)
    const { body, headers } = renderPage(
      subscription
        ? {
            title: 'Confirm your subscription',
            text: `${deps.serviceName} will send you e-mails about the orders of ${subscription.account}. Leave this page if you did not request them.`,
            button: 'Confirm',
          }
        : oldLinkPage,
    )
    return c.body(body, 200, headers)
  })
