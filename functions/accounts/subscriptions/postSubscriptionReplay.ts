import { createRoute, z } from '@hono/zod-openapi'
import type { Signer } from '#schema/queries/fragments/useNonce.ts'
import { useSubscription } from '#schema/queries/notifications/changeSubscription.ts'
import { replayDeliveries } from '#schema/queries/notifications/deliveries.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { authorizeChange } from '../authorization/authorizeChange.ts'
import type { AuthorizeDeps } from '../authorization/checkSignature.ts'
import { changeErrors, changeRoute } from './changeRoute.ts'

const deliveriesAtOnce = 1_000
/** Bound of one replay; the rest needs another one. */
const maxRounds = 20

const postSubscriptionReplayRoute = createRoute({
  ...changeRoute,
  ...endpoint('postSubscriptionReplay'),
  summary: 'Replay failed deliveries',
  description:
    'Ends the pause of a failing subscription, and retries its failed deliveries, except retracted ones. The account signs a `ManageSubscriptions` message with the action `replay`.',
  responses: {
    200: {
      description: 'the deliveries are scheduled',
      content: {
        'application/json': {
          schema: z.object({
            replayed: z
              .number()
              .int()
              .openapi({
                description: `rescheduled deliveries, oldest first; at most ${maxRounds * deliveriesAtOnce} per replay`,
              }),
          }),
        },
      },
    },
    ...changeErrors,
  },
})

/** `POST /accounts/{account}/subscriptions/{id}/replay`: idempotent. */
export const postSubscriptionReplay = (deps: AuthorizeDeps) =>
  createApp(auxiliaryFormat).openapi(postSubscriptionReplayRoute, async (c) => {
    const { account, id } = c.req.valid('param')
    const { authorization } = c.req.valid('header')
    const signer = await authorizeChange(deps, { account, id, action: 'replay', authorization }, useSubscription)
    return c.json({ replayed: await replayAll(deps, signer, id) }, 200)
  })

const replayAll = async ({ findDatabase }: AuthorizeDeps, signer: Signer, id: string): Promise<number> => {
  let sum = 0
  for (let round = 0; round < maxRounds; round++) {
    const limits = { limit: deliveriesAtOnce, now: new Date() }
    // undefined: the subscription is not confirmed, so it has no failed deliveries
    const { taken, replayed } = (await replayDeliveries(findDatabase(), signer, id, limits)) ?? {
      taken: 0,
      replayed: 0,
    }
    sum += replayed
    if (taken < deliveriesAtOnce) break
  }
  return sum
}
