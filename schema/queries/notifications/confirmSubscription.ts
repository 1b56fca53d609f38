import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'
import { isConfirmable } from './subscriptionLinks.ts'
import type { Subscription } from './subscriptions.ts'

const isMailLink = (token: string): SQL | undefined => and(isConfirmable(token), eq(subscriptions.channel, 'email'))

/** The subscription that a confirmation link belongs to. */
export const selectUnconfirmed = async (database: Database, token: string): Promise<Subscription | undefined> => {
  const [found] = await database.select().from(subscriptions).where(isMailLink(token))
  return found
}

/** @returns undefined when the link is used or expired */
export const confirmSubscription = async (database: Database, token: string): Promise<Subscription | undefined> => {
  const [confirmed] = await database
    .update(subscriptions)
    .set({ confirmedAt: sql`now()`, confirmToken: null })
    .where(isMailLink(token))
    .returning()
  return confirmed
}
