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
import { address, bytes, hash, orderUid, uint256 } from './columns.ts'
import { buyTokenBalance, orderClass, orderKind, placementError, sellTokenBalance, signingScheme } from './enums.ts'

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
 * Came over the API as `presign` and has no pre-signature on-chain: any stranger may have sent it. Queries repeat the condition
 * of an index word for word, with literals, so that Postgres uses the index.
 */
export const isUnsigned = (t: OrderColumns): SQL =>
  sql`${t.signingScheme} = 'presign' and not ${t.presigned} and ${t.onchainUser} is null and ${t.jitBlock} is null`

/**
 * Counts towards the bounds of its owner until `validTo`: signed by the owner over the API, not cancelled, not filled. Orders
 * placed on-chain are left out: another account may have placed them.
 */
export const isOpenOfOwner = (t: OrderColumns): SQL =>
  sql`(${t.signingScheme} <> 'presign' or ${t.presigned}) and ${t.onchainUser} is null and ${t.jitBlock} is null
    and ${t.cancelledAt} is null and not ${t.invalidated} and case ${t.kind}
    when 'sell' then ${t.executedSellAmount} - ${t.executedFeeAmount} < ${t.sellAmount}
    else ${t.executedBuyAmount} < ${t.buyAmount} end`

/**
 * One signed order: written once when it is placed. Executed amounts, `invalidated` and `presigned` move only together
 * with the on-chain event that caused them, in the same batch, and are recomputed from those events.
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
    /** first second it may enter an auction, Unix; null: at once (app data `metadata.validFrom`) */
    validFrom: bigint('valid_from', { mode: 'number' }),
    appDataHash: hash('app_data_hash').notNull(),
    /** signed fee, sell token atoms; zero for every order of today */
    feeAmount: uint256('fee_amount').notNull(),
    kind: orderKind('kind').notNull(),
    partiallyFillable: boolean('partially_fillable').notNull(),
    sellTokenBalance: sellTokenBalance('sell_token_balance').notNull(),
    buyTokenBalance: buyTokenBalance('buy_token_balance').notNull(),
    signingScheme: signingScheme('signing_scheme').notNull(),
    signature: bytes('signature').notNull(),
    settlementContract: address('settlement_contract').notNull(),
    /** what its settlement calls before it is traded, as long as nothing of it was */
    preInteractions: jsonb('pre_interactions').$type<OrderInteraction[]>().notNull().default([]),
    /** what each of its settlements calls after the trade */
    postInteractions: jsonb('post_interactions').$type<OrderInteraction[]>().notNull().default([]),
    /** `market`: it matched the quote it was placed with; decides about fee policies and bounds, not shown by the API */
    class: orderClass('class').notNull(),
    /** what its app data document gives to partners, in the document's order */
    partnerFees: jsonb('partner_fees').$type<PartnerFee[]>().notNull().default([]),
    /** the affiliate code that its app data document names, in capitals; not necessarily one that is registered */
    referrerCode: text('referrer_code'),
    /** the stored quote the order was placed with, when it matched */
    quoteId: bigint('quote_id', { mode: 'number' }),
    fullBalanceCheck: boolean('full_balance_check').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** the block whose settlement brought a just-in-time order, and with which it goes; null: placed before it was settled */
    jitBlock: bigint('jit_block', { mode: 'number' }),
    /** who had a contract place it on-chain; null: it came over the API */
    onchainUser: address('onchain_user'),
    /** last valid second for its user, Unix, when the contract that owns it signs for ever; null: `validTo` is all */
    userValidTo: bigint('user_valid_to', { mode: 'number' }),
    /** why an order placed on-chain never enters an auction; null: it may */
    placementError: placementError('placement_error'),
    /** its placement on-chain named a quote that is not stored; it is traded all the same */
    quoteNotFound: boolean('quote_not_found').notNull().default(false),
    /**
     * Sell token atoms that its owner held and had approved at the last cut that looked, at admission until then, at most what the
     * order may still sell; null: not looked up
     */
    availableBalance: uint256('available_balance'),
    /** transaction that paid back what was not sold, after it had expired */
    refundTransactionHash: hash('refund_transaction_hash'),
    /** off-chain cancellation by the owner */
    cancelledAt: timestamp('cancelled_at', { withTimezone: true }),
    /** on-chain invalidation by the owner */
    invalidated: boolean('invalidated').notNull().default(false),
    /** the newest on-chain pre-signature says signed */
    presigned: boolean('presigned').notNull().default(false),
    /** Σ trades: sell token atoms that left the owner */
    executedSellAmount: uint256('executed_sell_amount').notNull().default(sql`0`),
    /** Σ trades: buy token atoms received */
    executedBuyAmount: uint256('executed_buy_amount').notNull().default(sql`0`),
    /** Σ trades: signed fee taken, sell token atoms */
    executedFeeAmount: uint256('executed_fee_amount').notNull().default(sql`0`),
    /** Σ executions: network and protocol fees, sell token atoms */
    executedFee: uint256('executed_fee').notNull().default(sql`0`),
    /** milliseconds from its request to its row; null: it did not come over the API */
    admissionMs: integer('admission_ms'),
    /** keyed hash of the client that submitted it (`computeSubmitter`); null: signed when it came, or older than this column */
    submittedBy: bytes('submitted_by'),
    /** counts changes of the row; the ETag of an order */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.uid] }),
    index('orders_select_account_orders')
      .on(t.chainId, t.owner, t.createdAt.desc(), t.uid)
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
    index('orders_select_open_orders')
      .on(t.chainId, sql`coalesce(${t.userValidTo}, ${t.validTo})`)
      .where(sql`${t.cancelledAt} is null and not ${t.invalidated}`),
  ],
)
