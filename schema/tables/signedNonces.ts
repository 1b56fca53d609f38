import { index, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import { address, hash } from './columns.ts'

/** Nonces of signed messages that were used: each authorises once. Kept as long as the message would be valid. */
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
