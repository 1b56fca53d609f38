import { and, asc, isNull, lt, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'
import { toBytes } from '../fragments/toBytes.ts'
import type { Signer } from '../fragments/useNonce.ts'
import { confirmTime } from './subscriptionLinks.ts'

export type Subscription = typeof subscriptions.$inferSelect

/** Subscriptions of an account, the oldest first. */
export const selectSubscriptions = async (database: Database, signer: Signer): Promise<Subscription[]> =>
  database
    .select()
    .from(subscriptions)
    .where(isOfSigner(signer))
    .orderBy(asc(subscriptions.createdAt), asc(subscriptions.id))

/** Subscriptions that an account manages with this kind of signature. */
export const isOfSigner = ({ account, signerChainId }: Signer): SQL =>
  sql`account = ${toBytes(account)} and signer_chain_id = ${signerChainId}`

/** Deletes unconfirmed subscriptions: links and codes after a day, webhooks without a response after a week. */
export const deleteStaleSubscriptions = async (database: Database): Promise<void> => {
  const { createdAt, confirmedAt, channel } = subscriptions
  await database
    .delete(subscriptions)
    .where(
      and(
        isNull(confirmedAt),
        lt(createdAt, sql`now() - ${confirmTime}`),
        or(notInArray(channel, ['webhook']), lt(createdAt, sql`now() - interval '7 days'`)),
      ),
    )
}
