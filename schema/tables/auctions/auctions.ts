import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  index,
  integer,
  json,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import { orderUid } from '../columns.ts'

/** Auction ids: one sequence for all networks, so that an id identifies one auction. */
export const auctionIds = pgSequence('auction_ids')

/** The newest auction of each chain; its orders are the open `auctionEntries`. */
export const currentAuctions = pgTable('current_auctions', {
  chainId: integer('chain_id').primaryKey(),
  id: bigint('id', { mode: 'number' }).notNull(),
  block: bigint('block', { mode: 'number' }).notNull(),
  /** token address → decimal string, wei per 10¹⁸ atoms */
  prices: jsonb('prices').$type<Record<string, string>>().notNull().default({}),
})

/** Reason why a solver, or one of its solutions, did not take part in an auction. */
export type LeftOut = { solver: string; kind: 'suspended' | 'yielded' | 'rejected' | 'failed'; reason: string }

/** An auction with at least one valid solution. */
export const auctions = pgTable(
  'auctions',
  {
    chainId: integer('chain_id').notNull(),
    id: bigint('id', { mode: 'number' }).notNull(),
    /** head block when the auction was cut */
    block: bigint('block', { mode: 'number' }).notNull(),
    /** last block in which a winner may settle */
    deadlineBlock: bigint('deadline_block', { mode: 'number' }).notNull(),
    /** number of its orders */
    orderCount: integer('order_count'),
    /** token address → decimal string, wei per 10¹⁸ atoms */
    prices: jsonb('prices').$type<Record<string, string>>().notNull(),
    /** those with depth, which value trades; null: an auction of an earlier release, whose `prices` do */
    provenPrices: jsonb('proven_prices').$type<Record<string, string>>(),
    /** at most one solution per solver */
    leftOut: jsonb('left_out').$type<LeftOut[]>().notNull().default([]),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** object of the archive with the whole competition; null: all of it is in the database */
    archiveKey: text('archive_key'),
    /** number of its solutions; null until only the archive has them all */
    solutionCount: integer('solution_count'),
    /** of an archived competition: `orderKey` of each order that only losing solutions had */
    losingOrders: bigint('losing_orders', { mode: 'bigint' }).array(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.id] }),
    index('auctions_select_network_status').on(t.chainId, t.createdAt),
    index('auctions_select_archivable').on(t.chainId, t.id).where(sql`${t.archiveKey} is null`),
    // without a list of pending entries, which each read would search
    index('auctions_select_lost_with_order')
      .using('gin', t.losingOrders)
      .with({ fastupdate: false })
      .where(sql`${t.archiveKey} is not null`),
  ],
)

/** The range of auction ids with the order. */
export const membershipOf = (t: Record<'enteredAuctionId' | 'leftAuctionId', AnyPgColumn>): SQL =>
  sql`int8range(${t.enteredAuctionId}, greatest(${t.enteredAuctionId}, coalesce(${t.leftAuctionId}, 9223372036854775807)))`

/**
 * Membership of an order in auctions, one row per unbroken range: from `enteredAuctionId` until before `leftAuctionId`.
 * Its size grows with changes, not with orders × auctions.
 */
export const auctionEntries = pgTable(
  'auction_entries',
  {
    chainId: integer('chain_id').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    enteredAuctionId: bigint('entered_auction_id', { mode: 'number' }).notNull(),
    /** first auction without the order; null while it is a member */
    leftAuctionId: bigint('left_auction_id', { mode: 'number' }),
    /** the order in the shape of the driver API; only while it is a member */
    body: json('body').$type<Record<string, unknown>>(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.orderUid, t.enteredAuctionId] }),
    index('auction_entries_select_members').using('gist', membershipOf(t)),
    index('auction_entries_select_open').on(t.chainId, t.orderUid).where(sql`${t.leftAuctionId} is null`),
  ],
)
