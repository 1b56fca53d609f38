import { lt, sql } from 'drizzle-orm'
import { zeroAddress } from 'viem'
import type { Database } from '../../client.ts'
import { signedNonces } from '../../tables/notifications/signedNonces.ts'
import { toBytes } from '../fragments/toBytes.ts'
import { clockSkew } from '../fragments/useNonce.ts'

/** An address that cannot sign messages; it represents this service. */
const serviceAccount = zeroAddress
const mailsPerHour = 3

/**
 * Key of the mailbox of an address. Many providers deliver every sub-address (`name+tag`), any case and any dots to one
 * mailbox; a provider that does not merely shares the limit.
 */
const toMailbox = (address: string): string => {
  const at = address.lastIndexOf('@')
  const name = address
    .slice(0, at)
    .replace(/(?<=.)\+.*$/, '')
    .replaceAll('.', '')
  return `${name}${address.slice(at)}`.toLowerCase()
}

/**
 * Counts an e-mail to an unconfirmed mailbox: at most three an hour for all senders together.
 * @returns whether it may be sent
 */
export const takeMailSlot = async (database: Database, address: string): Promise<boolean> => {
  const slot = sql`sha256(convert_to('mail ' || slot || ' ' || ${toMailbox(address)}::text, 'UTF8'))`
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
