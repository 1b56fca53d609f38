import { doublePrecision, index, integer, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import { address } from './columns.ts'

/**
 * What traded tokens were worth, every five minutes: the series that volatility is computed of. The wrapped native token's
 * is kept for good, because the value of old trades is computed with it (schema/queries/priceSamples.ts).
 */
export const priceSamples = pgTable(
  'price_samples',
  {
    chainId: integer('chain_id').notNull(),
    /** never the sentinel: the native token is the wrapped one */
    token: address('token').notNull(),
    /** a multiple of five minutes */
    sampledAt: timestamp('sampled_at', { withTimezone: true }).notNull(),
    /** US dollars for one whole token */
    price: doublePrecision('price').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.token, t.sampledAt] }),
    index('price_samples_delete_old').on(t.chainId, t.sampledAt),
  ],
)
