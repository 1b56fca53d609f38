import { and, eq, gte, lte, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { blocks } from '../../tables/chain/blocks.ts'

/** Number of stored block hashes: a reorganisation up to this depth is undone exactly. */
export const keptBlocks = 64

export type IndexedBlock = { number: number; hash: Hex; timestamp: Date }

/** The newest indexed blocks of a chain, oldest first; the last one is the cursor. */
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

/** Deletes blocks that are too old to matter when `newest` is the cursor. */
export const deleteOldBlocks = (database: Database, chainId: number, newest: number) =>
  database.delete(blocks).where(and(eq(blocks.chainId, chainId), lte(blocks.number, newest - keptBlocks)))
