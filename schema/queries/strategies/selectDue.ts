import { and, asc, eq, getTableColumns, gt, lte, or, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import type { IndexedBlock } from '../chain/blocks.ts'

/** A conditional order to evaluate. */
export type DueOrder = typeof conditionalOrders.$inferSelect

/** Evaluations of one owner per block. */
const maxOfOwner = 20

/** Key of a conditional order. */
export type ConditionalKey = { owner: Address; hash: Hex }

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
): Promise<{ due: DueOrder[]; keys: ConditionalKey[] }> => {
  const [due, keys] = await database.batch([
    selectDue(database, chainId, block, limits.due),
    selectSingleKeys(database, chainId, after, limits.keys),
  ])
  return { due, keys }
}

/**
 * Conditional orders that are due at a block. The owners alternate: the first order of each owner comes before the second of
 * any. Within a turn those that waited come first, then those that were evaluated in the block before, then failing ones, and
 * the oldest evaluation first, so that every one has its turn, whatever the handlers of others respond.
 */
const selectDue = (database: Database, chainId: number, { number, timestamp }: IndexedBlock, limit: number) => {
  const { judgedBlock, owner, hash, failures } = conditionalOrders
  const due = database
    .select({
      ...getTableColumns(conditionalOrders),
      turn: sql<number>`row_number() over (partition by ${owner} order by ${judgedBlock} nulls first, ${hash})`.as(
        'turn',
      ),
      lane: sql<number>`case when ${failures} > 0 then 2 when ${judgedBlock} >= ${number - 1} then 1 else 0 end`.as(
        'lane',
      ),
    })
    .from(conditionalOrders)
    .where(
      and(
        eq(conditionalOrders.chainId, chainId),
        sql`${conditionalOrders.state} = 'open'`,
        lte(conditionalOrders.nextTime, Math.floor(timestamp.getTime() / 1_000)),
        lte(conditionalOrders.nextBlock, number),
      ),
    )
    .as('due')
  return database
    .select()
    .from(due)
    .where(lte(due.turn, maxOfOwner))
    .orderBy(asc(due.turn), asc(due.lane), sql`${due.judgedBlock} nulls first`, asc(due.hash))
    .limit(limit)
}

/** The next open ones that were authorised alone, in the order of their keys. */
const selectSingleKeys = (database: Database, chainId: number, after: ConditionalKey | undefined, limit: number) => {
  const { owner, hash, state, proof } = conditionalOrders
  return database
    .select({ owner, hash })
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
