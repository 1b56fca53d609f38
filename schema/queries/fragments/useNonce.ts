import { type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { signedNonces } from '../../tables/notifications/signedNonces.ts'
import type { subscriptions } from '../../tables/notifications/subscriptions.ts'
import { toBytes } from './toBytes.ts'

/** The signer for an account: its key (`signerChainId` 0), or the contract at its address on a chain. */
export type Signer = Pick<typeof subscriptions.$inferSelect, 'account' | 'signerChainId'>

/** The nonce that makes a signed message valid once. */
export type SignedNonce = Signer & { nonce: Hex; deadline: Date }

/** Largest lag of a Worker's clock behind the database's. */
export const clockSkew = sql`interval '5 minutes'`
/** Most expired nonces that one message deletes. */
const purgedAtOnce = 100

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
