import { afterAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { hashOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { deleteBlocksFrom, deleteOldBlocks, insertBlocks, selectBlocks, storedBlocks } from './blocks.ts'

const { chainId } = networks.sepolia

const { database, close } = await startTestDatabase()
afterAll(close)
beforeEach(() => emptyDatabase(database))

/** Indexes blocks up to each of `heads`, as the index stores them. @returns numbers stored after each */
const indexTo = async (heads: readonly number[]): Promise<number[][]> => {
  const stored: number[][] = []
  let next = 0
  for (const head of heads) {
    const first = Math.max(next, head - storedBlocks + 1)
    const rows = Array.from({ length: head - first + 1 }, (_, i) => ({
      number: first + i,
      hash: `0x${(first + i).toString(16).padStart(64, '0')}` as const,
      timestamp: new Date(0),
    }))
    await database.batch([insertBlocks(database, chainId, rows), deleteOldBlocks(database, chainId, head)])
    stored.push((await selectBlocks(database, chainId)).map(({ number }) => number))
    next = head + 1
  }
  return stored
}

test('the newest blocks are kept, one of 64 of some four thousand, one of 4,096 of some hundred thousand', async () => {
  const heads = [
    ...Array.from({ length: 20 }, (_, i) => i * 7),
    ...Array.from({ length: 20 }, (_, i) => 200 + i * 500),
    ...Array.from({ length: 60 }, (_, i) => 10_000 + i * 5_000),
  ]
  for (const [i, stored] of (await indexTo(heads)).entries()) {
    const head = heads[i] ?? 0
    const isDense = stored.filter((number) => number > head - storedBlocks)
    expect(isDense).toEqual(range(Math.max(0, head - storedBlocks + 1), head))
    expect(stored.length).toBeLessThanOrEqual(200)
    if (head < 10_000) expect(findGap(stored, Math.max(0, head - 64 * 64 + 500), head)).toBeLessThanOrEqual(500)
    if (head < 64 * 4_096) expect(stored[0]).toBeLessThan(storedBlocks)
    else expect(stored[0]).toBeGreaterThan(head - 64 * 4_096)
    expect(findGap(stored, Math.max(0, head - 64 * 4_096 + 5_000), head)).toBeLessThanOrEqual(5_000 + 4_096)
  }
})

test('a checkpoint stays as long as a younger one of its group would be removed', async () => {
  const [before = [], ...later] = await indexTo([63, 64, 127, 128, 191, 192, 4_000, 4_300, 8_000, 9_000])
  expect(before[0]).toBe(0)
  for (const stored of later) expect(stored[0]).toBe(0)
})

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i)
/** The longest distance between two neighbours from `first` on. */
const findGap = (numbers: readonly number[], first: number, last: number): number => {
  const inside = [...numbers.filter((number) => number >= first), last]
  return Math.max(...inside.map((number, i) => number - (inside[i - 1] ?? first)))
}

measureRows(selectBlocks, (database, h) => selectBlocks(database, h.chainId))
measureRows(deleteBlocksFrom, (database, h) => deleteBlocksFrom(database, h.chainId, h.orders - 10))
measureRows(deleteOldBlocks, (database, h) => deleteOldBlocks(database, h.chainId, h.orders + 1))
measureRows(insertBlocks, (database, h) =>
  insertBlocks(database, h.chainId, [{ number: h.orders + 1, hash: hashOf(1), timestamp: new Date() }]),
)
