import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'
import { toArray } from '../fragments/toArray.ts'
import { toBytes } from '../fragments/toBytes.ts'
import { type SignedNonce, useNonce } from '../fragments/useNonce.ts'
import { isOfSigner, type Subscription } from './subscriptions.ts'

export type NewSubscription = Pick<
  Subscription,
  | 'account'
  | 'signerChainId'
  | 'channel'
  | 'target'
  | 'pushKeys'
  | 'types'
  | 'networks'
  | 'secret'
  | 'confirmToken'
  | 'confirmedAt'
  | 'unsubscribeToken'
>

/**
 * - `replayed`: the nonce was already used
 * - `unknown`: the account has no such subscription
 * - `full`: the account has the maximum of subscriptions
 */
export type SubscriptionRefusal = { refusal: 'replayed' | 'unknown' | 'full' }

/**
 * Creates a subscription, or changes the one with the same channel and target, which retains its secret, confirmation
 * and links and ends its pause. Extends the life of an unconfirmed one by a day. In Telegram, one without a target
 * waits for its chat to be linked, and one with a target can only be changed.
 * @param nonce used up when, and only when, the subscription is written
 * @param max subscriptions of one account, also under simultaneous requests
 */
export const upsertSubscription = async (
  database: Database,
  nonce: SignedNonce,
  subscription: NewSubscription,
  max: number,
): Promise<{ subscription: Subscription; isNew: boolean; refusal?: undefined } | SubscriptionRefusal> => {
  const { account, channel, target } = subscription
  const isThis = sql`${isOfSigner(subscription)} and channel = ${channel} and target is not distinct from ${target}::text`
  const mayBeNew = channel !== 'telegram' || target === null
  const pushKeys = subscription.pushKeys && JSON.stringify(subscription.pushKeys)
  const lock = sql`select pg_advisory_xact_lock(hashtextextended(${account}, 0))`
  const write = sql`
    with known as (select id from ${subscriptions} where ${isThis} limit 1),
    room as (
      select exists (select from known) or ${mayBeNew} as is_known_or_new,
        exists (select from known) or count(*) < ${max} as is_free
      from ${subscriptions} where ${isOfSigner(subscription)}
    ),
    ${useNonce(nonce, sql`exists (select from room where is_known_or_new and is_free)`)},
    changed as (
      update ${subscriptions} set
        types = ${toArray(subscription.types)}::notification_type[],
        networks = ${toArray(subscription.networks)}::integer[],
        push_keys = ${pushKeys}::jsonb,
        confirm_token = case when confirmed_at is null then coalesce(confirm_token, ${subscription.confirmToken}) end,
        created_at = case when confirmed_at is null then now() else created_at end,
        failures = 0, failing_since = null, paused_at = null, pause_reason = null
      where id = (select id from known) and exists (select from used)
    ),
    inserted as (
      insert into ${subscriptions} (
        account, signer_chain_id, channel, target, push_keys, types, networks, secret, confirm_token, confirmed_at,
        unsubscribe_token)
      select ${toBytes(account)}, ${subscription.signerChainId}::integer, ${channel}::notification_channel, ${target}, ${pushKeys}::jsonb,
        ${toArray(subscription.types)}::notification_type[], ${toArray(subscription.networks)}::integer[],
        ${subscription.secret}, ${subscription.confirmToken}, ${subscription.confirmedAt?.toISOString() ?? null}::timestamptz,
        ${subscription.unsubscribeToken}
      where exists (select from used) and not exists (select from known)
      returning 1
    )
    select is_known_or_new, is_free, exists (select from used) as is_used, exists (select from inserted) as is_new from room`
  const [, { rows }, [written]] = await database.batch([
    database.execute(lock),
    database.execute<Record<'is_known_or_new' | 'is_free' | 'is_used' | 'is_new', boolean>>(write),
    database.select().from(subscriptions).where(isThis).limit(1),
  ])
  const [outcome] = rows
  if (!outcome?.is_known_or_new) return { refusal: 'unknown' }
  if (!outcome.is_free) return { refusal: 'full' }
  if (!outcome.is_used) return { refusal: 'replayed' }
  // the bot may have linked it in between
  return written ? { subscription: written, isNew: outcome.is_new } : { refusal: 'unknown' }
}
