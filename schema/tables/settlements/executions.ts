import { bigint, index, integer, jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { address, orderUid, uint256 } from '../columns.ts'

/** Charges of one order in a settled auction, written when its settlement is attributed. */
export const executions = pgTable(
  'executions',
  {
    chainId: integer('chain_id').notNull(),
    auctionId: bigint('auction_id', { mode: 'number' }).notNull(),
    orderUid: orderUid('order_uid').notNull(),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    /** network and protocol fees, atoms of `executedFeeToken` */
    executedFee: uint256('executed_fee').notNull(),
    executedFeeToken: address('executed_fee_token').notNull(),
    /** in order of application */
    protocolFees: jsonb('protocol_fees').$type<{ token: string; amount: string }[]>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.auctionId, t.orderUid] }),
    index('executions_select_order_executions').on(t.chainId, t.orderUid),
    index('executions_delete_from_block').on(t.chainId, t.blockNumber),
  ],
)
