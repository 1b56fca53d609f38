import { index, numeric, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { address, hash, logPlace, orderUid, uint256, wholeNumber } from '../columns.ts'

/**
 * A trade of a network with its own database, copied to that of the affiliate program: each trade with a code, and the
 * first trade of each trader, which decides about the binding. Its value is computed here, from copied price samples.
 */
export const carriedTrades = pgTable(
  'carried_trades',
  {
    ...logPlace(),
    /** time of the block */
    settledAt: timestamp('settled_at', { withTimezone: true }).notNull(),
    /** the user of an order placed on-chain, else the owner */
    trader: address('trader').notNull(),
    transactionHash: hash('transaction_hash').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    sellToken: address('sell_token').notNull(),
    buyToken: address('buy_token').notNull(),
    /** atoms */
    sellAmount: uint256('sell_amount').notNull(),
    buyAmount: uint256('buy_amount').notNull(),
    /** auction price of the sell token, wei per 10^18 atoms, of trades copied before `volume` was */
    price: numeric('price'),
    /** as in `trade_values` */
    volume: wholeNumber('volume'),
    protocolFee: wholeNumber('protocol_fee'),
    /** null: the trader's first trade, without a code */
    referrerCode: text('referrer_code'),
    /** decides whether the code was registered */
    orderCreatedAt: timestamp('order_created_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('carried_trades_of_trader').on(t.chainId, t.trader, t.blockNumber, t.logIndex),
  ],
)
