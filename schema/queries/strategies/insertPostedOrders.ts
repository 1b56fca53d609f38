import { and, eq, notInArray, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import { type ConditionalOrderRow, insertConditionalOrders } from './insertConditionalEvents.ts'

/**
 * Adds conditional orders of one owner whose proofs were posted. Posting costs nothing, so that those without a part
 * share `most` places: an owner's first order comes before the second one of any owner, and earlier ones before later
 * ones. Those of the owner that ended without a part leave; their proofs may be posted again.
 * @returns hashes that have no place, of all owners
 */
export const insertPostedOrders = async (
  database: Database,
  chainId: number,
  rows: readonly ConditionalOrderRow[],
  most: number,
): Promise<Hex[]> => {
  const { owner, hash, state, transactionHash, partUid, blockNumber } = conditionalOrders
  const isIdle = sql`${conditionalOrders.chainId} = ${chainId} and ${transactionHash} is null and ${partUid} is null`
  const [, , { rows: surplus }] = await database.batch([
    database
      .delete(conditionalOrders)
      .where(sql`${isIdle} and ${state} = 'ended' and ${owner} = ${sql.param(rows[0]?.owner, owner)}`),
    insertConditionalOrders(database, chainId, rows),
    database.execute<{ hash: string }>(sql`
      delete from ${conditionalOrders} as c using (
        select owner, hash from (
          select ${owner}, ${hash}, ${blockNumber} as block_number,
            row_number() over (partition by ${owner} order by ${blockNumber}, ${hash}) as turn
          from ${conditionalOrders} where ${isIdle} and ${state} = 'open'
        ) as idle
        order by turn, block_number, hash offset ${most}
      ) as surplus
      where c.chain_id = ${chainId} and c.owner = surplus.owner and c.hash = surplus.hash
      returning encode(c.hash, 'hex') as hash`),
  ])
  return surplus.map((row): Hex => `0x${row.hash}`)
}

/** Number of an owner's open conditional orders that are not among `hashes`, at most `most`. */
export const countOtherConditionalOrders = async (
  database: Database,
  chainId: number,
  owner: Address,
  hashes: readonly Hex[],
  most: number,
): Promise<number> => {
  const open = database
    .select({ hash: conditionalOrders.hash })
    .from(conditionalOrders)
    .where(
      and(
        eq(conditionalOrders.chainId, chainId),
        eq(conditionalOrders.owner, owner),
        eq(conditionalOrders.state, 'open'),
        notInArray(conditionalOrders.hash, [...hashes]),
      ),
    )
    .limit(most)
    .as('open')
  const [row] = await database.select({ count: sql<number>`count(*)::integer` }).from(open)
  return row?.count ?? 0
}
