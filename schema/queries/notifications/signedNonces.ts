import { lt, type SQL, sql } from 'drizzle-orm'
import { type Hex, zeroAddress } from 'viem'
import type { Database } from '../../client.ts'
import { signedNonces } from '../../tables/notifications/signedNonces.ts'
import type { subscriptions } from '../../tables/notifications/subscriptions.ts'

/** The signer for an account: its key (`signerChainId` 0), or the contract at its address on a chain. */
export type Signer = Pick<typeof subscriptions.$inferSelect, 'account' | 'signerChainId'>

/** The nonce that makes a signed message valid once. */
export type SignedNonce = Signer & { nonce: Hex; deadline: Date }

/** An address that cannot sign messages; it represents this service. */
const serviceAccount = zeroAddress
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
export const useNonce = ({ account, nonce, deadline }: SignedNonce, condition: SQL = sql`true`): SQL => sql`
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

/** A parameter as `bytea`. */
export const toBytes = (hex: Hex): SQL => sql`decode(${hex.slice(2)}, 'hex')`

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

/** Deletes nonces of messages that are no longer valid. */
export const deleteExpiredNonces = async (database: Database): Promise<void> => {
  await database.delete(signedNonces).where(lt(signedNonces.expiresAt, sql`now() - ${clockSkew}`))
}
