import { and, eq, gte, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Address } from 'viem'
import { toChunks } from '#shared/toChunks.ts'
import type { Database } from '../../client.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { insertChanges, toEventKey } from './conditionalEvents.ts'

export type ConditionalOrderRow = Pick<
  typeof conditionalOrders.$inferInsert,
  'owner' | 'hash' | 'handler' | 'salt' | 'staticInput' | 'proof' | 'blockNumber' | 'logIndex' | 'transactionHash'
>

/** Events of the registry of conditional orders in a range of blocks. */
export type ConditionalEvents = {
  created: ConditionalOrderRow[]
  /** owners whose merkle root changed */
  roots: { owner: Address; blockNumber: number }[]
}

/** Rows of one statement. */
const maxRows = 1_000

/** What a row is before its first evaluation. */
const fresh = {
  state: 'open' as const,
  nextBlock: 0,
  nextTime: 0,
  failures: 0,
  judgedBlock: null,
}

/** Adds conditional orders; one that was authorised again is evaluated again, and so are those of a changed tree. */
export const insertConditionalEvents = (
  database: Database,
  chainId: number,
  { created, roots }: ConditionalEvents,
): BatchItem<'pg'>[] => {
  // a statement changes a row once
  const rows = [...new Map(created.map((row) => [`${row.owner}${row.hash}`, row])).values()]
  return [
    ...toChunks(rows, maxRows).flatMap((chunk) => [
      logOpened(database, chainId, chunk),
      insertConditionalOrders(database, chainId, chunk),
    ]),
    ...(roots.length === 0 ? [] : [wakeTrees(database, chainId, roots)]),
  ]
}

/** One statement: a block has space for a thousand roots, which may all be of one owner with a large tree. */
const wakeTrees = (database: Database, chainId: number, roots: ConditionalEvents['roots']) => {
  const newest = new Map(roots.map(({ owner, blockNumber }) => [owner, blockNumber]))
  const list = [...newest].map(([owner, blockNumber]) => ({ owner: owner.slice(2), blockNumber }))
  return database
    .update(conditionalOrders)
    .set(fresh)
    .from(sql`jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as r(owner text, "blockNumber" bigint)`)
    .where(
      and(
        eq(conditionalOrders.chainId, chainId),
        sql`${conditionalOrders.owner} = decode(r.owner, 'hex')`,
        sql`${conditionalOrders.proof} <> '[]'::jsonb`,
        sql`${conditionalOrders.judgedBlock} < r."blockNumber"`,
      ),
    )
}

/** One that is authorised again while it is open does not change. */
const logOpened = (database: Database, chainId: number, rows: readonly ConditionalOrderRow[]) => {
  const list = rows.map(({ owner, hash, blockNumber, logIndex, transactionHash }) => ({
    ...{ owner: owner.slice(2), hash: hash.slice(2), blockNumber, logIndex, transactionHash },
  }))
  return database.execute(
    insertChanges(
      chainId,
      sql`
      select ${toEventKey(sql`decode(r.owner, 'hex')`, sql`decode(r.hash, 'hex')`)} as event_key,
        concat('opened:', r."blockNumber", ':', r."logIndex") as key, 'opened' as label, null as reason,
        r."blockNumber" as block_number, false as is_repeated, null::bigint as part_count,
        jsonb_build_object('transactionHash', r."transactionHash") as data
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as r(owner text, hash text, "blockNumber" bigint,
        "logIndex" integer, "transactionHash" text)`,
    ),
  )
}

const { blockNumber, logIndex, transactionHash, judgedBlock } = conditionalOrders
/** Its proof was posted, and now it has an event. */
const isFirstEvent = sql`${transactionHash} is null and excluded.transaction_hash is not null`

/**
 * A later event of a known one changes its proof, and makes it due when it was not evaluated since. The first event of a
 * posted one takes its place.
 */
export const insertConditionalOrders = (database: Database, chainId: number, rows: readonly ConditionalOrderRow[]) =>
  database
    .insert(conditionalOrders)
    .values(rows.map((row) => ({ chainId, ...row })))
    .onConflictDoUpdate({
      target: [conditionalOrders.chainId, conditionalOrders.owner, conditionalOrders.hash],
      set: {
        ...{ ...fresh, proof: sql`excluded.proof` },
        transactionHash: sql`coalesce(${transactionHash}, excluded.transaction_hash)`,
        blockNumber: sql`case when ${isFirstEvent} then excluded.block_number else ${blockNumber} end`,
        logIndex: sql`case when ${isFirstEvent} then excluded.log_index else ${logIndex} end`,
      },
      setWhere: sql`${judgedBlock} < excluded.block_number or ${isFirstEvent}`,
    })

/** Makes those due whose newest part was traded after their evaluation. */
export const wakeTradedConditionalOrders = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    update ${conditionalOrders} as c set next_block = 0, next_time = 0, unfilled = 0
    from ${trades} t
    where t.chain_id = ${chainId} and t.block_number >= ${fromBlock} and c.chain_id = t.chain_id
      and c.part_uid = t.order_uid and c.judged_block < t.block_number and c.state = 'open'`)

/** Removes those of the blocks from `from` on, and forgets what was found out at these blocks. */
export const undoConditionalOrders = (database: Database, chainId: number, from: number): BatchItem<'pg'>[] => [
  database
    .delete(conditionalOrders)
    .where(and(eq(conditionalOrders.chainId, chainId), gte(conditionalOrders.blockNumber, from))),
  database
    .update(conditionalOrders)
    .set(fresh)
    .where(and(eq(conditionalOrders.chainId, chainId), gte(conditionalOrders.judgedBlock, from))),
]
