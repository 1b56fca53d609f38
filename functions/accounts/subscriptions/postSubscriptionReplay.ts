import { createRoute, z } from '@hono/zod-openapi'
import type { ChangeOutcome, SignedNonce, Signer } from '#schema/queries/subscriptions.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import type { AuthorizeDeps } from './authorize.ts'
import { authorizeChange } from './authorizeChange.ts'
import { changeErrors, changeRoute } from './changeRoute.ts'

export type PostSubscriptionReplayDeps = AuthorizeDeps & {
  useSubscription: (nonce: SignedNonce, id: string) => Promise<ChangeOutcome>
  /** undefined: it is not confirmed, so nothing was ever given up */
  replayDeliveries: (
    signer: Signer,
    id: string,
    limit: number,
  ) => Promise<{ taken: number; replayed: number } | undefined>
}

const deliveriesAtOnce = 1_000
/** What is more waits for the next replay. */
const maxRounds = 20

const postSubscriptionReplayRoute = createRoute({
  ...changeRoute,
  method: 'post',
  path: '/accounts/{account}/subscriptions/{id}/replay',
  summary: 'Deliver what was given up',
  description:
    'Ends the pause of a subscription whose target was dead, and delivers again what is still true. The account signs a `ManageSubscriptions` message with the action `replay`.',
  responses: {
    200: {
      description: 'they are on their way',
      content: {
        'application/json': {
          schema: z.object({
            replayed: z
              .number()
              .int()
              .openapi({
                description: `deliveries that are due again, the oldest first; of more than ${maxRounds * deliveriesAtOnce} the rest waits for another replay`,
              }),
          }),
        },
      },
    },
    ...changeErrors,
  },
})

/** `POST /accounts/{account}/subscriptions/{id}/replay`: running it twice changes nothing. */
export const postSubscriptionReplay = (deps: PostSubscriptionReplayDeps) =>
  createApp(auxiliaryFormat).openapi(postSubscriptionReplayRoute, async (c) => {
    const { account, id } = c.req.valid('param')
    const { authorization } = c.req.valid('header')
    const signer = await authorizeChange(deps, { account, id, action: 'replay', authorization }, deps.useSubscription)
    return c.json({ replayed: await replayAll(deps, signer, id) }, 200)
  })

const replayAll = async (
  { replayDeliveries }: PostSubscriptionReplayDeps,
  signer: Signer,
  id: string,
): Promise<number> => {
  let sum = 0
  for (let round = 0; round < maxRounds; round++) {
    const { taken, replayed } = (await replayDeliveries(signer, id, deliveriesAtOnce)) ?? { taken: 0, replayed: 0 }
    sum += replayed
    if (taken < deliveriesAtOnce) break
  }
  return sum
}
