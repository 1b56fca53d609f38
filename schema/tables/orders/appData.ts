import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { hash } from '../columns.ts'

/** Documents by the keccak-256 of their exact UTF-8 bytes; the same on every network. */
export const appData = pgTable('app_data', {
  hash: hash('hash').primaryKey(),
  fullAppData: text('full_app_data').notNull(),
  /** time of its last upload, to the day */
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})
