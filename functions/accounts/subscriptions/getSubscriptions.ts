import { createRoute, z } from '@hono/zod-openapi'
import { selectSubscriptions } from '#schema/queries/notifications/subscriptions.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { authorizeManage } from '../authorization/authorize.ts'
import type { AuthorizeDeps } from '../authorization/checkSignature.ts'
import { nameScheme } from '../authorization/nameScheme.ts'
import { authorizationHeaderSchema, readAuthorization } from '../authorization/readAuthorization.ts'
import { accountParamsSchema } from './subscriptionParams.ts'
import { subscriptionSchema, toSubscriptionResponse } from './subscriptionResponse.ts'

const getSubscriptionsRoute = createRoute({
  ...endpoint('getSubscriptions'),
  tags: ['Subscriptions'],
  summary: "List an account's subscriptions and their delivery health",
  description:
    'The account signs a `ManageSubscriptions` message with the action `list` and an empty `subscription`. The message can be reused until its deadline, at most a day ahead.',
  request: { params: accountParamsSchema, headers: authorizationHeaderSchema },
  middleware: nameScheme,
  responses: {
    200: {
      description: 'the subscriptions, oldest first',
      content: { 'application/json': { schema: z.array(subscriptionSchema) } },
    },
    ...messageResponses(['InvalidParameter', 'ServiceUnavailable', 'Unauthorized'], {
      Unauthorized: 'the message is not signed by the account, or has expired',
    }),
  },
})

/** `GET /accounts/{account}/subscriptions` */
export const getSubscriptions = (deps: AuthorizeDeps) =>
  createApp(auxiliaryFormat).openapi(getSubscriptionsRoute, async (c) => {
    const { account } = c.req.valid('param')
    const signed = readAuthorization(c.req.valid('header').authorization)
    const signer = await authorizeManage(deps, account, signed, { action: 'list', subscription: '' })
    const subscriptions = await selectSubscriptions(deps.findDatabase(), signer)
    return c.json(subscriptions.map(toSubscriptionResponse), 200)
  })
