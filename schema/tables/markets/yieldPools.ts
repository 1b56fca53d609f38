import { doublePrecision, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { address } from '../columns.ts'

/** Yields of liquidity pools, as last reported by a provider. */
export const yieldPools = pgTable(
  'yield_pools',
  {
    chainId: integer('chain_id').notNull(),
    /** the provider's id of the pool */
    id: text('id').notNull(),
    /** null: not reported by the provider */
    contractAddress: address('contract_address'),
    project: text('project').notNull(),
    /** percent a year, fees only where reported separately */
    apr: doublePrecision('apr').notNull(),
    /** percent of a trade; null: not known */
    fee: doublePrecision('fee'),
    /** US dollars */
    tvl: doublePrecision('tvl').notNull(),
    /** US dollars in a day; null: not known */
    volume: doublePrecision('volume'),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.id] }),
    index('yield_pools_select_yield_pools').on(t.chainId, t.contractAddress),
  ],
)
