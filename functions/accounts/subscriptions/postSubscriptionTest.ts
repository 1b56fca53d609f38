import { createRoute, z } from '@hono/zod-openapi'
import { useSubscription } from '#schema/queries/notifications/changeSubscription.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { authorizeChange } from '../authorization/authorizeChange.ts'
import type { AuthorizeDeps } from '../authorization/checkSignature.ts'
import { changeErrors, changeRoute } from './changeRoute.ts'
import type { TestResponse } from './notifierClient.ts'

export type PostSubscriptionTestDeps = AuthorizeDeps & {
  /** rejects with an ApiError when the notifier does not respond */
  requestTest: (id: string) => Promise<TestResponse>
}

const postSubscriptionTestRoute = createRoute({
  ...changeRoute,
  ...endpoint('postSubscriptionTest'),
  summary: 'Send a test message to a subscription',
  description:
    'One immediate attempt, without retries. The account signs a `ManageSubscriptions` message with the action `test`.',
  responses: {
    200: {
      description: 'the outcome of the attempt',
      content: {
        'application/json': {
          schema: z.object({
            outcome: z.enum(['delivered', 'failed']),
            reason: z.string().optional().openapi({ description: 'why it failed' }),
          }),
        },
      },
    },
    ...changeErrors,
  },
})

/** `POST /accounts/{account}/subscriptions/{id}/test` */
export const postSubscriptionTest = (deps: PostSubscriptionTestDeps) =>
  createApp(auxiliaryFormat).openapi(postSubscriptionTestRoute, async (c) => {
    const { account, id } = c.req.valid('param')
    const { authorization } = c.req.valid('header')
    await authorizeChange(deps, { account, id, action: 'test', authorization }, useSubscription)
    return c.json(await deps.requestTest(id), 200)
  })
