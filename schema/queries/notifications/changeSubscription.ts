import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'
import { type SignedNonce, useNonce } from '../fragments/useNonce.ts'
import { isOfSigner } from './subscriptions.ts'
import type { SubscriptionRefusal } from './upsertSubscription.ts'

export type ChangeOutcome = SubscriptionRefusal | { refusal?: undefined }

/**
 * Actions of an account on one of its subscriptions. The nonce is used up even when the subscription does not exist.
 */
type Change = (database: Database, nonce: SignedNonce, id: string) => Promise<ChangeOutcome>

export const deleteOwnSubscription: Change = (database, nonce, id) =>
  runChange(database, nonce, id, (isOwn) => sql`changed as (delete from ${subscriptions} where ${isOwn} returning 1)`)

/** Only uses up the message. */
export const useSubscription: Change = (database, nonce, id) =>
  runChange(database, nonce, id, (isOwn) => sql`changed as (select from ${subscriptions} where ${isOwn})`)

const runChange = async (
  database: Database,
  nonce: SignedNonce,
  id: string,
  change: (isOwn: SQL) => SQL,
): Promise<ChangeOutcome> => {
  const isOwn = sql`id = ${id}::uuid and ${isOfSigner(nonce)} and exists (select from used)`
  const { rows } = await database.execute<{ is_used: boolean; is_changed: boolean }>(sql`
    with ${useNonce(nonce)}, ${change(isOwn)}
    select exists (select from used) as is_used, exists (select from changed) as is_changed`)
  if (!rows[0]?.is_used) return { refusal: 'replayed' }
  return rows[0].is_changed ? {} : { refusal: 'unknown' }
}
