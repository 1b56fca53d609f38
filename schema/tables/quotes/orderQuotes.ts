import { bigint, boolean, doublePrecision, integer, jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { address, orderUid, uint256 } from '../columns.ts'

/** The quote of an order: a copy, because quotes expire and can serve several orders. */
export const orderQuotes = pgTable(
  'order_quotes',
  {
    chainId: integer('chain_id').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    quoteId: bigint('quote_id', { mode: 'number' }).notNull(),
    sellAmount: uint256('sell_amount').notNull(),
    buyAmount: uint256('buy_amount').notNull(),
    /** gas units of the settlement */
    gasAmount: uint256('gas_amount').notNull(),
    /** wei per gas unit */
    gasPrice: uint256('gas_price').notNull(),
    /** wei per sell token atom */
    sellTokenPrice: doublePrecision('sell_token_price').notNull(),
    /** sell token atoms */
    feeAmount: uint256('fee_amount').notNull(),
    solver: address('solver').notNull(),
    verified: boolean('verified').notNull(),
    metadata: jsonb('metadata').notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.orderUid] })],
)
