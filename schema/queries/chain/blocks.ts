import { and, eq, gte, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { blocks } from '../../tables/chain/blocks.ts'

/** The hashes of this many newest blocks are all stored: a reorganisation up to this depth is undone exactly. */
export const storedBlocks = 64
/** Of older blocks one in `size` remains as a checkpoint, until it is `age` blocks old. */
const checkpoints = { fine: { size: 64, age: 64 * 64 }, coarse: { size: 4_096, age: 64 * 4_096 } }

export type IndexedBlock = { number: number; hash: Hex; timestamp: Date }

/**
 * The stored blocks of a chain, oldest first: checkpoints, then the newest `storedBlocks`. The last one is the cursor.
 */
export const selectBlocks = async (database: Database, chainId: number): Promise<IndexedBlock[]> =>
  database
    .select({ number: blocks.number, hash: blocks.hash, timestamp: blocks.timestamp })
    .from(blocks)
    .where(eq(blocks.chainId, chainId))
    .orderBy(blocks.number)

export const insertBlocks = (database: Database, chainId: number, rows: IndexedBlock[]) =>
  database
    .insert(blocks)
    .values(rows.map((row) => ({ chainId, ...row })))
    .onConflictDoUpdate({
      target: [blocks.chainId, blocks.number],
      set: { hash: sql`excluded.hash`, timestamp: sql`excluded.timestamp` },
    })

export const deleteBlocksFrom = (database: Database, chainId: number, number: number) =>
  database.delete(blocks).where(and(eq(blocks.chainId, chainId), gte(blocks.number, number)))

/**
 * Deletes blocks that do not matter when `newest` is the cursor: of those that are not among the newest `storedBlocks`,
 * the lowest one of each group of `size` numbers remains. At most some 200 rows of a chain are stored.
 */
export const deleteOldBlocks = (database: Database, chainId: number, newest: number) => {
  const { fine, coarse } = checkpoints
  const size = sql`case when b.number > ${newest - fine.age} then ${fine.size} else ${coarse.size} end::bigint`
  return database.execute(sql`
    delete from ${blocks} as b
    where b.chain_id = ${chainId} and b.number <= ${newest - storedBlocks} and (b.number <= ${newest - coarse.age}
      or exists (select 1 from ${blocks} as lower
        where lower.chain_id = ${chainId} and lower.number < b.number and lower.number >= b.number - b.number % ${size}))`)
}
