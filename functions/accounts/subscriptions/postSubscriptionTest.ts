import { createRoute, z } from '@hono/zod-openapi'
import type { ChangeOutcome, SignedNonce } from '#schema/queries/subscriptions.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import type { TestOutcome } from './askNotifier.ts'
import type { AuthorizeDeps } from './authorize.ts'
import { authorizeChange } from './authorizeChange.ts'
import { changeErrors, changeRoute } from './changeRoute.ts'

export type PostSubscriptionTestDeps = AuthorizeDeps & {
  useSubscription: (nonce: SignedNonce, id: string) => Promise<ChangeOutcome>
  /** rejects with an ApiError when the notifier does not answer */
  askTest: (id: string) => Promise<TestOutcome>
}

const postSubscriptionTestRoute = createRoute({
  ...changeRoute,
  method: 'post',
  path: '/accounts/{account}/subscriptions/{id}/test',
  summary: 'Send a test to a subscription',
  description: 'At once and once only. The account signs a `ManageSubscriptions` message with the action `test`.',
  responses: {
    200: {
      description: 'what came of it',
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
    await authorizeChange(deps, { account, id, action: 'test', authorization }, deps.useSubscription)
    return c.json(await deps.askTest(id), 200)
  })
