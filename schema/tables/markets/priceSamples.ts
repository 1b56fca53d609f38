import { doublePrecision, index, integer, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import { address } from '../columns.ts'

/**
 * Prices of traded tokens, every five minutes: the series behind volatility. Samples of the wrapped native token are
 * permanent, because affiliate statistics value old trades with them (schema/queries/markets/priceSamples.ts).
 */
export const priceSamples = pgTable(
  'price_samples',
  {
    chainId: integer('chain_id').notNull(),
    /** never the sentinel: the wrapped token stands for the native one */
    token: address('token').notNull(),
    /** a multiple of five minutes */
    sampledAt: timestamp('sampled_at', { withTimezone: true }).notNull(),
    /** US dollars per whole token */
    price: doublePrecision('price').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.token, t.sampledAt] }),
    index('price_samples_delete_old').on(t.chainId, t.sampledAt),
  ],
)
