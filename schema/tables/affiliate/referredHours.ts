import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, numeric, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { address } from '../columns.ts'

/**
 * Trades of a trader with one affiliate code in one hour of one network, and the sum of their values once it is final.
 * Written in the batch that indexes the trades: a trade with a code always belongs to a row.
 */
export const referredHours = pgTable(
  'referred_hours',
  {
    /** the user of an order placed on-chain, else the owner */
    trader: address('trader').notNull(),
    /** begin of the hour, UTC */
    hour: timestamp('hour', { withTimezone: true }).notNull(),
    chainId: integer('chain_id').notNull(),
    /** code of the orders */
    code: text('code').notNull(),
    /** the code was registered when the orders were placed */
    isRegistered: boolean('is_registered').notNull(),
    /** time and place of the first trade */
    firstSettledAt: timestamp('first_settled_at', { withTimezone: true }).notNull(),
    firstBlock: bigint('first_block', { mode: 'number' }).notNull(),
    firstLogIndex: integer('first_log_index').notNull(),
    /** no trade of the hour is in a later block */
    lastBlock: bigint('last_block', { mode: 'number' }).notNull(),
    /** Σ values, US dollars, each rounded to a millionth; null: not yet final, the trades are read */
    value: numeric('value'),
    /** number of trades, and of those with a known value; null with `value` */
    trades: integer('trades'),
    valuedTrades: integer('valued_trades'),
  },
  (t) => [
    primaryKey({ columns: [t.trader, t.hour, t.chainId, t.code, t.isRegistered] }),
    index('referred_hours_of_code').on(t.code, t.trader).where(sql`${t.isRegistered}`),
    index('referred_hours_delete_from_block').on(t.chainId, t.lastBlock),
    index('referred_hours_sum').on(t.chainId, t.hour).where(sql`${t.value} is null`),
  ],
)
