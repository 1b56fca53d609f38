import { integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { PauseSubject } from '#shared/pauses/pauses.ts'

/** What an operator has paused; a row is deleted when the pause is lifted. */
export const pauses = pgTable(
  'pauses',
  {
    chainId: integer('chain_id').notNull(),
    subject: text('subject').$type<PauseSubject>().notNull(),
    reason: text('reason').notNull(),
    since: timestamp('since', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.subject] })],
)
