import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'

/** Lifetime of a link in an e-mail and of a code for the bot. */
export const confirmTime = sql`interval '24 hours'`
/** The unconfirmed subscription of a link or code that has not expired. */
export const isConfirmable = (token: string): SQL | undefined =>
  and(
    eq(subscriptions.confirmToken, token),
    isNull(subscriptions.confirmedAt),
    sql`${subscriptions.createdAt} > now() - ${confirmTime}`,
  )

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
