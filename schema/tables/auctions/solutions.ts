import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { address, orderUid, uint256 } from '../columns.ts'
import { orderKind } from '../enums.ts'

/**
 * One solver's response to an auction; `uid` is its position in the ranking from 0, the API's `ranking` is `uid` + 1.
 */
export const solutions = pgTable(
  'solutions',
  {
    chainId: integer('chain_id').notNull(),
    auctionId: bigint('auction_id', { mode: 'number' }).notNull(),
    uid: integer('uid').notNull(),
    /** the solver's own id of the solution, sent back with the settlement request */
    solutionId: bigint('solution_id', { mode: 'number' }).notNull(),
    solver: address('solver').notNull(),
    isWinner: boolean('is_winner').notNull(),
    filteredOut: boolean('filtered_out').notNull(),
    /** wei */
    score: uint256('score').notNull(),
    /** best total score without this winner, wei; null for the others */
    referenceScore: uint256('reference_score'),
    /** from the start of the auction until its solver responded, ms; null: recorded before it was stored */
    responseMs: integer('response_ms'),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.auctionId, t.uid] }),
    // holds all columns of the statistics
    index('solutions_select_solver_statistics').on(t.chainId, t.auctionId, t.solver, t.isWinner),
  ],
)

/** One order in one solution. */
export const solutionOrders = pgTable(
  'solution_orders',
  {
    chainId: integer('chain_id').notNull(),
    auctionId: bigint('auction_id', { mode: 'number' }).notNull(),
    solutionUid: integer('solution_uid').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    side: orderKind('side').notNull(),
    sellToken: address('sell_token').notNull(),
    buyToken: address('buy_token').notNull(),
    /** signed amounts, atoms */
    limitSell: uint256('limit_sell').notNull(),
    limitBuy: uint256('limit_buy').notNull(),
    /** at the owner's wallet, net of all fees, atoms */
    executedSell: uint256('executed_sell').notNull(),
    executedBuy: uint256('executed_buy').notNull(),
    /**
     * included protocol fees in order of application: buy token atoms of a sell order, sell token atoms of a buy order
     */
    protocolFees: jsonb('protocol_fees').$type<string[]>().notNull().default([]),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.auctionId, t.solutionUid, t.orderUid] }),
    index('solution_orders_select_order_solutions').on(t.chainId, t.orderUid, t.auctionId),
  ],
)
