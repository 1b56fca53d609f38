import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import type { PartnerFee } from '#shared/appData/parseAppData.ts'
import type { OrderInteraction } from '#shared/hooks/buildHookInteractions.ts'
import { address, bytes, hash, orderUid, uint256 } from '../columns.ts'
import { buyTokenBalance, orderClass, orderKind, placementError, sellTokenBalance, signingScheme } from '../enums.ts'

type OrderColumns = Record<
  | 'signingScheme'
  | 'presigned'
  | 'onchainUser'
  | 'jitBlock'
  | 'cancelledAt'
  | 'invalidated'
  | 'kind'
  | 'sellAmount'
  | 'buyAmount'
  | 'executedSellAmount'
  | 'executedBuyAmount'
  | 'executedFeeAmount',
  AnyPgColumn
>

/**
 * Submitted over the API as `presign`, without an on-chain pre-signature: any stranger may have submitted it. Queries
 * repeat index conditions literally, so that Postgres uses the index.
 */
export const isUnsigned = (t: OrderColumns): SQL =>
  sql`${t.signingScheme} = 'presign' and not ${t.presigned} and ${t.onchainUser} is null and ${t.jitBlock} is null`

/** Part of the order's exact amount is unfilled. */
export const isUnfilledIn = (t: OrderColumns): SQL =>
  sql`case ${t.kind}
    when 'sell' then ${t.executedSellAmount} - ${t.executedFeeAmount} < ${t.sellAmount}
    else ${t.executedBuyAmount} < ${t.buyAmount} end`

/**
 * Counts towards the owner's bounds until `validTo`: signed over the API, not cancelled, not filled. On-chain
 * placements do not count: another account may have placed them.
 */
export const isOpenOfOwner = (t: OrderColumns): SQL =>
  sql`(${t.signingScheme} <> 'presign' or ${t.presigned}) and ${t.onchainUser} is null and ${t.jitBlock} is null
    and ${t.cancelledAt} is null and not ${t.invalidated} and ${isUnfilledIn(t)}`

/**
 * Part of an order's status that does not depend on the time: `signed` and `pending` (not yet pre-signed) may expire.
 */
export type TimelessState = 'fulfilled' | 'cancelled' | 'pending' | 'signed'

export const stateOf = (t: OrderColumns): SQL<TimelessState> =>
  sql`case when case ${t.kind} when 'sell' then ${t.executedSellAmount} - ${t.executedFeeAmount} >= ${t.sellAmount}
    else ${t.executedBuyAmount} >= ${t.buyAmount} end then 'fulfilled'
    when ${t.cancelledAt} is not null or ${t.invalidated} then 'cancelled'
    when ${t.signingScheme} = 'presign' and not ${t.presigned} then 'pending' else 'signed' end`

/**
 * One signed order, written once at placement. Executed amounts, `invalidated` and `presigned` change only with the
 * on-chain event that caused the change, in the same batch, recomputed from those events.
 */
export const orders = pgTable(
  'orders',
  {
    chainId: integer('chain_id').notNull(),
    uid: orderUid('uid').notNull(),
    owner: address('owner').notNull(),
    sellToken: address('sell_token').notNull(),
    buyToken: address('buy_token').notNull(),
    /** null: the owner receives */
    receiver: address('receiver'),
    /** sell token atoms: exact for a sell order, the maximum for a buy order */
    sellAmount: uint256('sell_amount').notNull(),
    /** buy token atoms: the minimum for a sell order, exact for a buy order */
    buyAmount: uint256('buy_amount').notNull(),
    /** last valid second, Unix; 32 bits unsigned, hence not an `integer` column */
    validTo: bigint('valid_to', { mode: 'number' }).notNull(),
    /** first second of auction membership, Unix; null: at once (app data `metadata.validFrom`) */
    validFrom: bigint('valid_from', { mode: 'number' }),
    appDataHash: hash('app_data_hash').notNull(),
    /** signed fee of the whole order, sell token atoms on top of `sellAmount`: the fee of its quote, or zero */
    feeAmount: uint256('fee_amount').notNull(),
    kind: orderKind('kind').notNull(),
    partiallyFillable: boolean('partially_fillable').notNull(),
    sellTokenBalance: sellTokenBalance('sell_token_balance').notNull(),
    buyTokenBalance: buyTokenBalance('buy_token_balance').notNull(),
    signingScheme: signingScheme('signing_scheme').notNull(),
    signature: bytes('signature').notNull(),
    settlementContract: address('settlement_contract').notNull(),
    /** calls of its first settlement before the trade */
    preInteractions: jsonb('pre_interactions').$type<OrderInteraction[]>().notNull().default([]),
    /** calls of each settlement after the trade */
    postInteractions: jsonb('post_interactions').$type<OrderInteraction[]>().notNull().default([]),
    /** `market`: matched its quote; decides fee policies and bounds, not shown by the API */
    class: orderClass('class').notNull(),
    /** partner fees of its app data document, in the document's order */
    partnerFees: jsonb('partner_fees').$type<PartnerFee[]>().notNull().default([]),
    /** affiliate code of its app data document, in capitals; not necessarily registered */
    referrerCode: text('referrer_code'),
    /** the stored quote that it matched */
    quoteId: bigint('quote_id', { mode: 'number' }),
    fullBalanceCheck: boolean('full_balance_check').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** block whose settlement inserted this just-in-time order; a reorganisation removes it; null: placed before */
    jitBlock: bigint('jit_block', { mode: 'number' }),
    /** the user of an on-chain placement; null: submitted over the API */
    onchainUser: address('onchain_user'),
    /** last valid second for the user, Unix, when the owning contract signs without an end; null: `validTo` applies */
    userValidTo: bigint('user_valid_to', { mode: 'number' }),
    /** placement error that excludes it from auctions; null: none */
    placementError: placementError('placement_error'),
    /** the on-chain placement names an unknown quote; the order is traded all the same */
    quoteNotFound: boolean('quote_not_found').notNull().default(false),
    /**
     * Sell token atoms available to the owner (balance and allowance) at the last cut that read them, before that at
     * admission, at most the unsold rest; null: not read
     */
    availableBalance: uint256('available_balance'),
    /** transaction that refunded the unsold rest after expiry */
    refundTransactionHash: hash('refund_transaction_hash'),
    /** off-chain cancellation by the owner */
    cancelledAt: timestamp('cancelled_at', { withTimezone: true }),
    /** on-chain invalidation by the owner */
    invalidated: boolean('invalidated').notNull().default(false),
    /** state of the newest on-chain pre-signature */
    presigned: boolean('presigned').notNull().default(false),
    /** Σ trades: sell token atoms that left the owner */
    executedSellAmount: uint256('executed_sell_amount').notNull().default(sql`0`),
    /** Σ trades: buy token atoms received */
    executedBuyAmount: uint256('executed_buy_amount').notNull().default(sql`0`),
    /** Σ trades: signed fee taken, sell token atoms */
    executedFeeAmount: uint256('executed_fee_amount').notNull().default(sql`0`),
    /** Σ executions: network and protocol fees, sell token atoms */
    executedFee: uint256('executed_fee').notNull().default(sql`0`),
    /** milliseconds from request to row; null: not submitted over the API */
    admissionMs: integer('admission_ms'),
    /** keyed hash of the submitting client (`computeSubmitter`); null: signed at submission */
    submittedBy: bytes('submitted_by'),
    /** version of the row; the ETag of an order */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.uid] }),
    // without the UID, which was half of their size: lists sort the orders of one time themselves
    index('orders_newest_of_owner')
      .on(t.chainId, t.owner, t.createdAt.desc())
      .where(sql`not (${isUnsigned(t)})`),
    index('orders_newest')
      .on(t.chainId, t.createdAt.desc())
      .where(sql`not (${isUnsigned(t)})`),
    index('orders_newest_in_state').on(t.chainId, sql`(${stateOf(t)})`, t.createdAt.desc()),
    index('orders_newest_selling')
      .on(t.chainId, t.sellToken, t.createdAt.desc())
      .where(sql`not (${isUnsigned(t)})`),
    index('orders_newest_buying')
      .on(t.chainId, t.buyToken, t.createdAt.desc())
      .where(sql`not (${isUnsigned(t)})`),
    index('orders_select_unsigned_orders').on(t.chainId, t.owner, t.createdAt.desc(), t.uid).where(isUnsigned(t)),
    index('orders_count_unsigned_of_client').on(t.chainId, t.submittedBy, t.validTo).where(isUnsigned(t)),
    index('orders_count_unsigned').on(t.chainId, t.validTo).where(isUnsigned(t)),
    index('orders_count_open_orders').on(t.chainId, t.owner, t.validTo, t.class).where(isOpenOfOwner(t)),
    index('orders_delete_from_block').on(t.chainId, t.jitBlock).where(sql`${t.jitBlock} is not null`),
    index('orders_select_onchain_orders')
      .on(t.chainId, t.onchainUser, t.createdAt.desc(), t.uid)
      .where(sql`${t.onchainUser} is not null`),
    index('orders_select_affiliate_statistics')
      .on(t.referrerCode)
      .where(sql`${t.referrerCode} is not null and ${t.executedSellAmount} > 0`),
    index('orders_select_network_status')
      .on(t.chainId, t.createdAt, t.admissionMs)
      .where(sql`${t.admissionMs} is not null`),
    index('orders_delete_unreferenced_app_data').on(t.appDataHash),
    // without filled orders: most of those that are still valid
    index('orders_select_unfilled_orders')
      .on(t.chainId, sql`coalesce(${t.userValidTo}, ${t.validTo})`)
      .where(sql`${t.cancelledAt} is null and not ${t.invalidated} and ${isUnfilledIn(t)}`),
  ],
)
