import { afterAll, beforeAll, expect, test } from 'vitest'
import { auctions } from '#schema/tables/auctions/auctions.ts'
import { solutions } from '#schema/tables/auctions/solutions.ts'
import { blocks } from '#schema/tables/chain/blocks.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { hashOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getAuctions } from './getAuctions.ts'

const chainId = 11_155_111
const solver = `0x${'05'.repeat(20)}` as const
const transactionHash = hashOf(12)
const outcomes = ['success', 'mismatch', 'timeout', 'driver failed: reverted', null]
const { database, close } = await startTestDatabase()
afterAll(close)

beforeAll(async () => {
  const ids = [7, 8, 9]
  const auction = { chainId, prices: {}, orderCount: 4 }
  await database.insert(auctions).values(ids.map((id) => ({ ...auction, id, block: id, deadlineBlock: id + 5 })))
  const winner = { chainId, solver, solutionId: 1, isWinner: true, filteredOut: false, score: 9n }
  await database
    .insert(solutions)
    .values(ids.flatMap((auctionId) => outcomes.map((_, uid) => ({ ...winner, auctionId, uid }))))
  const attempt = { chainId, auctionId: 9, solver, startBlock: 9, deadlineBlock: 14 }
  await database
    .insert(settlementAttempts)
    .values(outcomes.map((outcome, solutionUid) => ({ ...attempt, solutionUid, outcome })))
  const settlement = { chainId, solver, transactionHash, gasUsed: 1n, effectiveGasPrice: 1n }
  await database
    .insert(settlements)
    .values({ ...settlement, blockNumber: 12, logIndex: 1, auctionId: 9, solutionUid: 0 })
  await database.insert(blocks).values({ chainId, number: 13, hash: hashOf(13), timestamp: new Date() })
})

const get = (query = '', hideBeforeDeadline = false) =>
  getAuctions({ database, chainId, hideBeforeDeadline }).request(`/api/v1/explorer/auctions${query}`)

test('lists auctions with the status of each winner', async () => {
  const response = await get()
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=5')
  expect(response.headers.get('X-Next-Cursor')).toBeNull()
  const [first] = (await response.json()) as { id: number; orderCount: number; winners: { status: string }[] }[]
  expect(first).toMatchObject({ id: 9, orderCount: 4, solutionCount: 5 })
  expect(first?.winners.map(({ status }) => status)).toEqual([
    'settled',
    'mismatched',
    'timedOut',
    'reverted',
    'running',
  ])
  expect(first?.winners[0]).toEqual({ solver, score: '9', status: 'settled', txHash: transactionHash })
})

test('the last auction of a full page is the cursor of the next one', async () => {
  const first = await get('?limit=1', true)
  expect(await first.json()).toMatchObject([{ id: 8 }])
  expect(first.headers.get('X-Next-Cursor')).toBe('8')
  const last = await get('?limit=1&cursor=8', true)
  expect(await last.json()).toMatchObject([{ id: 7 }])
  expect(last.headers.get('X-Next-Cursor')).toBeNull()
})

test('a cursor that is no id is refused', async () => {
  expect((await get('?cursor=x')).status).toBe(400)
})
