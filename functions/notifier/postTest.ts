import type { Subscription } from '#schema/queries/notifications/subscriptions.ts'
import { createApp } from '#shared/http/createApp.ts'
import { type FindSubscription, readSubscription } from './readSubscription.ts'

/** A reason is shown to the account. */
export type TestOutcome = { outcome: 'delivered' } | { outcome: 'failed'; reason: string }

export type TestDeps = {
  selectSubscription: FindSubscription
  sendTest: (subscription: Subscription) => Promise<TestOutcome>
}

/** `POST /test` `{ subscriptionId }`: sends a test message at once. For the accounts Worker; not routed by the gateway. */
export const postTest = ({ selectSubscription, sendTest }: TestDeps) => {
  const app = createApp()
  app.post('/test', async (c) => c.json(await sendTest(await readSubscription(c.req.raw, selectSubscription))))
  return app
}
