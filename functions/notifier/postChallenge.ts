import type { Subscription } from '#schema/queries/notifications/subscriptions.ts'
import { createApp } from '#shared/http/createApp.ts'
import { type FindSubscription, readSubscription } from './readSubscription.ts'

/** `sent`: the recipient must follow a link. A reason is shown to the account. */
export type ChallengeOutcome = { outcome: 'confirmed' | 'sent' } | { outcome: 'failed'; reason: string }

export type ChallengeDeps = {
  selectSubscription: FindSubscription
  challenge: (subscription: Subscription) => Promise<ChallengeOutcome>
}

/**
 * `POST /challenge` `{ subscriptionId }`: challenges a target to prove consent. For the accounts Worker; not routed by the
 * gateway.
 */
export const postChallenge = ({ selectSubscription, challenge }: ChallengeDeps) => {
  const app = createApp()
  app.post('/challenge', async (c) => c.json(await challenge(await readSubscription(c.req.raw, selectSubscription))))
  return app
}
