import { and, asc, eq, isNull, lt, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { type Address, type Hex, zeroAddress } from 'viem'
import type { Database } from '../../client.ts'
import { signedNonces } from '../../tables/notifications/signedNonces.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'

export type Subscription = typeof subscriptions.$inferSelect
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

/** The signer for an account: its key (`signerChainId` 0), or the contract at its address on a chain. */
export type Signer = Pick<Subscription, 'account' | 'signerChainId'>

/** The nonce that makes a signed message valid once. */
export type SignedNonce = Signer & { nonce: Hex; deadline: Date }

/**
 * - `replayed`: the nonce was already used
 * - `unknown`: the account has no such subscription
 * - `full`: the account has the maximum of subscriptions
 */
export type SubscriptionRefusal = { refusal: 'replayed' | 'unknown' | 'full' }

export type ChangeOutcome = SubscriptionRefusal | { refusal?: undefined }

/** An address that cannot sign messages; it represents this service. */
const serviceAccount = zeroAddress
/** Lifetime of a link in an e-mail and of a code for the bot. */
const confirmTime = sql`interval '24 hours'`
/** Largest lag of a Worker's clock behind the database's. */
const clockSkew = sql`interval '5 minutes'`
/** Most expired nonces that one message deletes. */
const purgedAtOnce = 100
const mailsPerHour = 3

/**
 * Uses up a nonce as a precondition of an action: `used` has a row only for the first of simultaneous equal messages.
 * Deletes some expired nonces.
 * @param condition without which the nonce stays unused
 */
const useNonce = ({ account, nonce, deadline }: SignedNonce, condition: SQL = sql`true`): SQL => sql`
  expired as (
    delete from ${signedNonces} where (account, nonce) in (
      select account, nonce from ${signedNonces} where expires_at < now() - ${clockSkew}
      limit ${purgedAtOnce} for update skip locked)
  ),
  used as (
    insert into ${signedNonces} (account, nonce, expires_at)
    select ${toBytes(account)}, ${toBytes(nonce)}, ${deadline.toISOString()}::timestamptz where ${condition}
    on conflict do nothing returning 1
  )`

const toBytes = (hex: Hex): SQL => sql`decode(${hex.slice(2)}, 'hex')`
const toArray = (values: readonly (string | number)[]): string => `{${values.join(',')}}`

/**
 * Creates a subscription, or changes the one with the same channel and target, which keeps its secret, confirmation and
 * links and ends its pause. Extends the life of an unconfirmed one by a day. In Telegram, one without a target waits
 * for its chat to be linked, and one with a target can only be changed.
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
  const isThis = sql`${isOf(subscription)} and channel = ${channel} and target is not distinct from ${target}::text`
  const mayBeNew = channel !== 'telegram' || target === null
  const pushKeys = subscription.pushKeys && JSON.stringify(subscription.pushKeys)
  const lock = sql`select pg_advisory_xact_lock(hashtextextended(${account}, 0))`
  const write = sql`
    with known as (select id from ${subscriptions} where ${isThis} limit 1),
    room as (
      select exists (select from known) or ${mayBeNew} as is_known_or_new,
        exists (select from known) or count(*) < ${max} as is_free
      from ${subscriptions} where ${isOf(subscription)}
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

/** Subscriptions of an account, the oldest first. */
export const selectSubscriptions = async (database: Database, signer: Signer): Promise<Subscription[]> =>
  database.select().from(subscriptions).where(isOf(signer)).orderBy(asc(subscriptions.createdAt), asc(subscriptions.id))

/**
 * Actions of an account on one of its subscriptions. The nonce is used up even when the subscription does not exist.
 */
type Change = (database: Database, nonce: SignedNonce, id: string) => Promise<ChangeOutcome>

export const deleteOwnSubscription: Change = (database, nonce, id) =>
  runChange(database, nonce, sql`changed as (delete from ${subscriptions} where ${isOwn(nonce, id)} returning 1)`)

/** Only uses up the message. */
export const useSubscription: Change = (database, nonce, id) =>
  runChange(database, nonce, sql`changed as (select from ${subscriptions} where ${isOwn(nonce, id)})`)

const isOf = ({ account, signerChainId }: Signer): SQL =>
  sql`account = ${toBytes(account)} and signer_chain_id = ${signerChainId}`

const isOwn = (signer: SignedNonce, id: string): SQL =>
  sql`id = ${id}::uuid and ${isOf(signer)} and exists (select from used)`

const runChange = async (database: Database, nonce: SignedNonce, change: SQL): Promise<ChangeOutcome> => {
  const { rows } = await database.execute<{ is_used: boolean; is_changed: boolean }>(sql`
    with ${useNonce(nonce)}, ${change}
    select exists (select from used) as is_used, exists (select from changed) as is_changed`)
  if (!rows[0]?.is_used) return { refusal: 'replayed' }
  return rows[0].is_changed ? {} : { refusal: 'unknown' }
}

/**
 * Counts an e-mail to an unconfirmed address: at most three an hour for all senders together.
 * @returns whether it may be sent
 */
export const takeMailSlot = async (database: Database, address: string): Promise<boolean> => {
  const slot = sql`sha256(convert_to('mail ' || slot || ' ' || ${address.toLowerCase()}::text, 'UTF8'))`
  const { rows } = await database.execute(sql`
    insert into ${signedNonces} as taken (account, nonce, expires_at)
    select ${toBytes(serviceAccount)}, ${slot}, now() + interval '1 hour'
    from generate_series(1, ${mailsPerHour}) as slot
    where not exists (
      select from ${signedNonces} where account = ${toBytes(serviceAccount)} and nonce = ${slot} and expires_at > now())
    order by slot limit 1
    on conflict (account, nonce) do update set expires_at = excluded.expires_at where taken.expires_at <= now()
    returning 1`)
  return rows.length > 0
}

const isConfirmable = (token: string): SQL | undefined =>
  and(
    eq(subscriptions.confirmToken, token),
    isNull(subscriptions.confirmedAt),
    sql`${subscriptions.createdAt} > now() - ${confirmTime}`,
  )

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

/** Deletes the subscription of an unsubscribe link, if it still exists. */
export const unsubscribe = async (database: Database, token: string): Promise<void> => {
  await database.delete(subscriptions).where(eq(subscriptions.unsubscribeToken, token))
}

/**
 * Links a Telegram chat to the subscription of its code. When the chat already has a subscription of that account, the
 * older one takes over the settings of the new one.
 * @returns the account; undefined when the code is used or expired
 */
export const linkChat = async (database: Database, code: string, chat: string): Promise<Address | undefined> => {
  const { rows } = await database.execute<{ account: string }>(sql`
    with pending as (
      delete from ${subscriptions} where ${isConfirmable(code)} and channel = 'telegram' returning *
    )
    insert into ${subscriptions} as s (
      id, account, signer_chain_id, channel, target, types, networks, confirmed_at, unsubscribe_token, created_at)
    select id, account, signer_chain_id, channel, ${chat}, types, networks, now(), unsubscribe_token, created_at from pending
    on conflict (account, signer_chain_id, channel, target) do update set types = excluded.types, networks = excluded.networks,
      failures = 0, failing_since = null, paused_at = null, pause_reason = null
    returning '0x' || encode(account, 'hex') as account`)
  return rows[0]?.account as Address | undefined
}

const isChat = (chat: string): SQL | undefined =>
  and(eq(subscriptions.channel, 'telegram'), eq(subscriptions.target, chat))

/** Accounts whose notifications a chat receives. */
export const selectChatAccounts = async (database: Database, chat: string): Promise<Address[]> => {
  const found = await database.select({ account: subscriptions.account }).from(subscriptions).where(isChat(chat))
  return found.map(({ account }) => account)
}

/** Deletes all subscriptions of a chat. */
export const unlinkChat = async (database: Database, chat: string): Promise<void> => {
  await database.delete(subscriptions).where(isChat(chat))
}

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

/** Deletes nonces of messages that are no longer valid. */
export const deleteExpiredNonces = async (database: Database): Promise<void> => {
  await database.delete(signedNonces).where(lt(signedNonces.expiresAt, sql`now() - ${clockSkew}`))
}
