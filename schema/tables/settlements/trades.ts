import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { address, hash, logPlace, orderUid, uint256 } from '../columns.ts'

/** One `Trade` event of the settlement contract: the amounts of one order in one settlement. */
export const trades = pgTable(
  'trades',
  {
    ...logPlace(),
    transactionHash: hash('transaction_hash').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    owner: address('owner').notNull(),
    sellToken: address('sell_token').notNull(),
    buyToken: address('buy_token').notNull(),
    /** sell token atoms that left the owner, signed fee included */
    sellAmount: uint256('sell_amount').notNull(),
    buyAmount: uint256('buy_amount').notNull(),
    feeAmount: uint256('fee_amount').notNull(),
    /** log index of its `Settlement` event, the next one in the same block */
    settlementLogIndex: integer('settlement_log_index').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('trades_select_order_trades').on(t.chainId, t.orderUid, t.blockNumber.desc(), t.logIndex.desc()),
    index('trades_select_owner_trades').on(t.chainId, t.owner, t.blockNumber.desc(), t.logIndex.desc()),
    index('trades_select_transaction_trades').on(t.chainId, t.transactionHash),
    index('trades_select_token_metadata_sell').on(t.chainId, t.sellToken, t.blockNumber),
    index('trades_select_token_metadata_buy').on(t.chainId, t.buyToken, t.blockNumber),
  ],
)
