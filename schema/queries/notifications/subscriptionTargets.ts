import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'
import type { Subscription } from './subscriptions.ts'

export const selectSubscription = async (database: Database, id: string): Promise<Subscription | undefined> => {
  const [found] = await database.select().from(subscriptions).where(eq(subscriptions.id, id))
  return found
}

/** The target of the subscription is confirmed. */
export const confirmTarget = async (database: Database, id: string, now: Date): Promise<void> => {
  await database
    .update(subscriptions)
    .set({ confirmedAt: now, confirmToken: null })
    .where(and(eq(subscriptions.id, id), isNull(subscriptions.confirmedAt)))
}
