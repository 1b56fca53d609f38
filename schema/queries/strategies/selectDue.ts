import { and, asc, eq, getTableColumns, gt, lte, or, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { knownHandlers } from '#shared/strategies/describeConditional.ts'
import type { Database } from '../../client.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import type { IndexedBlock } from '../chain/blocks.ts'

/** A conditional order to evaluate. */
export type DueOrder = typeof conditionalOrders.$inferSelect

/** Evaluations of one owner per block. */
const maxOfOwner = 20

/** Key of a conditional order. */
export type ConditionalKey = { owner: Address; hash: Hex }

/** A key and the block of its newest evaluation. */
export type JudgedKey = ConditionalKey & { judgedBlock: number | null }

/**
 * What the clock looks at in one block, in one round trip: orders that are due, and keys of open ones whose removal is
 * looked up.
 * @param after the newest key that was looked up
 */
export const selectBlockWork = async (
  database: Database,
  chainId: number,
  block: IndexedBlock,
  after: ConditionalKey | undefined,
  limits: { due: number; keys: number },
): Promise<{ due: DueOrder[]; keys: JudgedKey[] }> => {
  const [due, keys] = await database.batch([
    selectDue(database, chainId, block, limits.due),
    selectSingleKeys(database, chainId, after, limits.keys),
  ])
  return { due, keys }
}

/**
 * Conditional orders that are due at a block, those first that cost most to imitate: whose newest part was traded, then those of known
 * handlers, then others, then failing ones; within these the owners alternate. Each fourth place belongs to the one whose newest
 * evaluation is oldest, so that every one has its turn.
 */
const selectDue = (database: Database, chainId: number, { number, timestamp }: IndexedBlock, limit: number) => {
  const { judgedBlock, owner, hash, handler, failures, partUid, unfilled } = conditionalOrders
  const handlers = sql.join(
    knownHandlers.map((known) => sql.param(known, handler)),
    sql`, `,
  )
  const due = database.$with('due').as(
    database
      .select({
        owner,
        hash,
        judgedBlock,
        turn: sql<number>`row_number() over (partition by ${owner} order by ${judgedBlock} nulls first, ${hash})`.as(
          'turn',
        ),
        lane: sql<number>`case when ${failures} > 0 then 3 when ${partUid} is not null and ${unfilled} = 0 then 0
          when ${handler} in (${handlers}) then 1 else 2 end`.as('lane'),
      })
      .from(conditionalOrders)
      .where(
        and(
          eq(conditionalOrders.chainId, chainId),
          sql`${conditionalOrders.state} = 'open'`,
          lte(conditionalOrders.nextTime, Math.floor(timestamp.getTime() / 1_000)),
          lte(conditionalOrders.nextBlock, number),
        ),
      ),
  )
  const ranked = database.$with('ranked').as(
    database
      .select({
        owner: due.owner,
        hash: due.hash,
        place: sql<number>`least(
          row_number() over (order by ${due.lane}, ${due.turn}, ${due.judgedBlock} nulls first, ${due.hash}),
          4 * row_number() over (order by ${due.judgedBlock} nulls first, ${due.lane}, ${due.hash}))`.as('place'),
      })
      .from(due)
      .where(lte(due.turn, maxOfOwner)),
  )
  return database
    .with(due, ranked)
    .select(getTableColumns(conditionalOrders))
    .from(ranked)
    .innerJoin(
      conditionalOrders,
      and(
        eq(conditionalOrders.chainId, chainId),
        eq(conditionalOrders.owner, ranked.owner),
        eq(conditionalOrders.hash, ranked.hash),
      ),
    )
    .orderBy(asc(ranked.place), asc(ranked.hash))
    .limit(limit)
}

/** The next open ones that were authorised alone, in the order of their keys. */
const selectSingleKeys = (database: Database, chainId: number, after: ConditionalKey | undefined, limit: number) => {
  const { owner, hash, judgedBlock, state, proof } = conditionalOrders
  return database
    .select({ owner, hash, judgedBlock })
    .from(conditionalOrders)
    .where(
      and(
        eq(conditionalOrders.chainId, chainId),
        eq(state, 'open'),
        sql`${proof} = '[]'::jsonb`,
        after && or(gt(owner, after.owner), and(eq(owner, after.owner), gt(hash, after.hash))),
      ),
    )
    .orderBy(asc(owner), asc(hash))
    .limit(limit)
}
