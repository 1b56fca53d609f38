import { bigint, boolean, doublePrecision, index, integer, jsonb, pgTable, timestamp } from 'drizzle-orm/pg-core'
import { address, uint256 } from '../columns.ts'
import { orderKind, quoteKind } from '../enums.ts'

/**
 * One response to POST quote, which an order may name until it expires; deleted after `QUOTE_RETENTION_DAYS`. Amounts
 * exclude volume fees unless they say otherwise.
 */
export const quotes = pgTable(
  'quotes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    chainId: integer('chain_id').notNull(),
    sellToken: address('sell_token').notNull(),
    buyToken: address('buy_token').notNull(),
    /** sell token atoms: before the fee is taken when the request gave a budget */
    sellAmount: uint256('sell_amount').notNull(),
    /** buy token atoms for all of `sellAmount` */
    buyAmount: uint256('buy_amount').notNull(),
    kind: orderKind('kind').notNull(),
    quoteKind: quoteKind('quote_kind').notNull(),
    /** gas units of the settlement, hooks and signature check included */
    gasAmount: uint256('gas_amount').notNull(),
    /** wei per gas unit */
    gasPrice: uint256('gas_price').notNull(),
    /** wei per sell token atom */
    sellTokenPrice: doublePrecision('sell_token_price').notNull(),
    /** sell token atoms: ⌈gasAmount · gasPrice / sellTokenPrice⌉ */
    feeAmount: uint256('fee_amount').notNull(),
    /** `sellAmount` of the response, which an order signs beside `feeAmount` */
    offeredSellAmount: uint256('offered_sell_amount'),
    /** `buyAmount` of the response, volume fee taken */
    offeredBuyAmount: uint256('offered_buy_amount'),
    solver: address('solver').notNull(),
    verified: boolean('verified').notNull(),
    /** `{ version, interactions, preInteractions, jitOrders }` of the solver's plan */
    metadata: jsonb('metadata').notNull(),
    /** milliseconds from request to response */
    elapsedMs: integer('elapsed_ms'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    index('quotes_select_matching_quote').on(t.chainId, t.sellToken, t.buyToken, t.expiresAt.desc()),
    index('quotes_select_network_status').on(t.chainId, t.createdAt, t.elapsedMs),
  ],
)
