import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import type { ConditionalState, VerdictData } from '#shared/strategies/conditionalOrder.ts'
import { address, bytes, hash, orderUid } from '../columns.ts'

/**
 * One conditional order: parameters that its owner authorised on-chain, whose handler says which order is tradeable
 * now. Its first event counts. What the clock found out is stored beside it and forgotten when a reorganisation
 * replaces the block at which it was found.
 */
export const conditionalOrders = pgTable(
  'conditional_orders',
  {
    chainId: integer('chain_id').notNull(),
    owner: address('owner').notNull(),
    /** keccak256 of the encoded parameters */
    hash: hash('hash').notNull(),
    handler: address('handler').notNull(),
    salt: hash('salt').notNull(),
    staticInput: bytes('static_input').notNull(),
    /** place in the owner's merkle tree; empty: authorised alone */
    proof: jsonb('proof').$type<Hex[]>().notNull(),
    /** of its event, or of the block at which its proof was posted */
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    /** 0 for a posted proof */
    logIndex: integer('log_index').notNull(),
    /** null: its proof was posted */
    transactionHash: hash('transaction_hash'),
    state: text('state').$type<ConditionalState>().notNull().default('open'),
    /** not evaluated before this block */
    nextBlock: bigint('next_block', { mode: 'number' }).notNull().default(0),
    /** not evaluated before a block of this time, Unix seconds */
    nextTime: bigint('next_time', { mode: 'number' }).notNull().default(0),
    /** consecutive evaluations without a meaning */
    failures: integer('failures').notNull().default(0),
    /** consecutive parts that ended without a trade */
    unfilled: integer('unfilled').notNull().default(0),
    /** block of the newest evaluation; null: not evaluated */
    judgedBlock: bigint('judged_block', { mode: 'number' }),
    /** of the newest evaluation */
    verdict: jsonb('verdict').$type<VerdictData>(),
    /** newest part */
    partUid: orderUid('part_uid'),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.owner, t.hash] }),
    index('conditional_orders_select_due').on(t.chainId, t.nextTime).where(sql`${t.state} = 'open'`),
    index('conditional_orders_newest').on(t.chainId, t.blockNumber.desc(), t.logIndex.desc()),
    index('conditional_orders_newest_of_owner').on(t.chainId, t.owner, t.blockNumber.desc(), t.logIndex.desc()),
    index('conditional_orders_of_part').on(t.chainId, t.partUid).where(sql`${t.partUid} is not null`),
  ],
)
