import { createRoute, z } from '@hono/zod-openapi'
import { deleteOwnSubscription } from '#schema/queries/notifications/changeSubscription.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { authorizeChange } from '../authorization/authorizeChange.ts'
import type { AuthorizeDeps } from '../authorization/checkSignature.ts'
import { changeErrors, changeRoute } from './changeRoute.ts'

const deleteSubscriptionRoute = createRoute({
  ...changeRoute,
  ...endpoint('deleteSubscription'),
  summary: 'Delete a subscription',
  description:
    'Also deletes its pending deliveries. The account signs a `ManageSubscriptions` message with the action `delete`.',
  responses: {
    200: {
      description: 'the subscription is deleted',
      content: { 'application/json': { schema: z.object({ id: z.uuid() }) } },
    },
    ...changeErrors,
  },
})

/** `DELETE /accounts/{account}/subscriptions/{id}` */
export const deleteSubscription = (deps: AuthorizeDeps) =>
  createApp(auxiliaryFormat).openapi(deleteSubscriptionRoute, async (c) => {
    const { account, id } = c.req.valid('param')
    const { authorization } = c.req.valid('header')
    await authorizeChange(deps, { account, id, action: 'delete', authorization }, deleteOwnSubscription)
    return c.json({ id }, 200)
  })
