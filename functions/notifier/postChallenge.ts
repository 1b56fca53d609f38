import type { Subscription } from '#schema/queries/subscriptions.ts'
import { createApp } from '#shared/http/createApp.ts'
import { type FindSubscription, readSubscription } from './readSubscription.ts'

/** `sent`: somebody has to follow a link. A reason is for the account. */
export type ChallengeOutcome = { outcome: 'confirmed' | 'sent' } | { outcome: 'failed'; reason: string }

export type ChallengeDeps = {
  selectSubscription: FindSubscription
  challenge: (subscription: Subscription) => Promise<ChallengeOutcome>
}

/**
 * `POST /challenge` `{ subscriptionId }`: has a target prove that it wants to be told. For the accounts Worker; the gateway has
 * no path to it.
 */
export const postChallenge = ({ selectSubscription, challenge }: ChallengeDeps) => {
  const app = createApp()
  app.post('/challenge', async (c) => c.json(await challenge(await readSubscription(c.req.raw, selectSubscription))))
  return app
}
