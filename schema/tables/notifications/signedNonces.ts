import { index, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import { address, hash } from '../columns.ts'

/** Used nonces of signed messages: each message authorises once. Stored until the message expires. */
export const signedNonces = pgTable(
  'signed_nonces',
  {
    account: address('account').notNull(),
    nonce: hash('nonce').notNull(),
    /** the deadline of the message */
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.nonce] }), index('signed_nonces_delete_expired').on(t.expiresAt)],
)
