import { index, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import { address, logPlace, uint256, wholeNumber } from '../columns.ts'

/**
 * One trade of an order of this book with its value, for lists, candles and statistics of a network. Written in the
 * batch that indexes the trade, deleted with its block. Trades of unknown orders have no row.
 */
export const tradeValues = pgTable(
  'trade_values',
  {
    ...logPlace(),
    /** time of the block */
    settledAt: timestamp('settled_at', { withTimezone: true }).notNull(),
    /** the user of an order placed on-chain, else the owner */
    trader: address('trader').notNull(),
    /** sender of the `settle` call */
    solver: address('solver').notNull(),
    sellToken: address('sell_token').notNull(),
    buyToken: address('buy_token').notNull(),
    /** as in `trades`, atoms */
    sellAmount: uint256('sell_amount').notNull(),
    buyAmount: uint256('buy_amount').notNull(),
    /** the smaller value of both amounts at proven prices, wei, rounded down; null without both prices */
    volume: wholeNumber('volume'),
    /** gain over the limit price at its auction's proven price, wei, rounded down; null without a price */
    surplus: wholeNumber('surplus'),
    /** value of its protocol fees in the native token or the US dollar reference, wei, rounded down; null: before it was recorded */
    protocolFee: wholeNumber('protocol_fee'),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('trade_values_of_trader').on(t.chainId, t.trader, t.blockNumber, t.logIndex),
    index('trade_values_of_sell_token').on(t.chainId, t.sellToken, t.blockNumber, t.logIndex),
    index('trade_values_of_buy_token').on(t.chainId, t.buyToken, t.blockNumber, t.logIndex),
    // holds all columns of a candle
    index('trade_values_select_candles').on(
      t.chainId,
      t.sellToken,
      t.buyToken,
      t.blockNumber,
      t.logIndex,
      t.settledAt,
      t.sellAmount,
      t.buyAmount,
    ),
    // holds all columns of the statistics
    index('trade_values_select_statistics').on(t.chainId, t.settledAt, t.trader, t.solver, t.volume, t.surplus),
  ],
)
