import type { Address } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { storedBlocks } from '../chain/blocks.ts'
import { selectAttemptOrders } from './selectAttemptOrders.ts'
import {
  closeFailedAttempt,
  closeOverdueAttempts,
  closeSettledAttempts,
  reopenAttempts,
  selectUnattributed,
} from './settlementAttempts.ts'

const [ours, theirs] = [100, 11_155_111]
const solver: Address = `0x${'a1'.repeat(20)}`
const { database, close } = await startTestDatabase()
afterAll(close)

const toRows = (chainId: number) => {
  const attempt = { chainId, solutionUid: 0, solver, startBlock: 10, deadlineBlock: 20 }
  return [
    { ...attempt, auctionId: 1 },
    { ...attempt, auctionId: 2, outcome: 'timeout', endBlock: 20, endedAt: new Date() },
    { ...attempt, auctionId: 3, outcome: 'success', endBlock: 14, endedAt: new Date() },
  ]
}

test('a reorganisation of one network reopens and marks no attempt of another, running or decided', async () => {
  await database.insert(settlementAttempts).values([...toRows(ours), ...toRows(theirs)])
  const read = async (chainId: number) =>
    (await database.select().from(settlementAttempts).orderBy(settlementAttempts.auctionId))
      .filter((row) => row.chainId === chainId)
      .map(({ outcome, endBlock, undoneFrom }) => ({ outcome, endBlock, undoneFrom }))
  const before = await read(theirs)
  await reopenAttempts(database, ours, 15)
  expect(await read(ours)).toEqual([
    { outcome: null, endBlock: null, undoneFrom: 15 },
    { outcome: null, endBlock: null, undoneFrom: 15 },
    { outcome: 'success', endBlock: 14, undoneFrom: null },
  ])
  expect(await read(theirs)).toEqual(before)
})

measureRows(closeFailedAttempt, (database, h) =>
  closeFailedAttempt(
    database,
    { chainId: h.chainId, auctionId: h.runningAuction, solutionUid: 0 },
    { cause: 'reverted', block: h.tip, blame: null },
  ),
)
measureRows(closeOverdueAttempts, (database, h) => closeOverdueAttempts(database, h.chainId, h.tip))
measureRows(closeSettledAttempts, (database, h) => closeSettledAttempts(database, h.chainId, h.lookFrom), {
  reads: storedBlocks * 2,
})
measureRows(reopenAttempts, (database, h) => reopenAttempts(database, h.chainId, h.tip - 9), { reads: 20 })
measureRows(selectUnattributed, (database, h) => selectUnattributed(database, h.chainId), { reads: 500 })
measureRows(selectAttemptOrders, (database, h) =>
  selectAttemptOrders(database, h.chainId, { auctionId: h.runningAuction, solutionUid: 0 }),
)
