import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { hashOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctionEntries, auctions } from '../../tables/auctions/auctions.ts'
import { solutionOrders, solutions } from '../../tables/auctions/solutions.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { selectLatestAuctionId, selectSettledAuctionId, selectSolverCompetition } from './solverCompetition.ts'

const chainId = 11_155_111
const solver = `0x${'5a'.repeat(20)}` as const
const [sellToken, buyToken] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`] as const
const gas = { gasUsed: 1n, effectiveGasPrice: 2n }
const settledAt = new Date('2026-11-29T00:40:12.000Z')
const uid = (byte: string) => `0x${byte.repeat(56)}` as const
const hash = (byte: string) => `0x${byte.repeat(32)}` as const

const { database, close } = await startTestDatabase()

beforeAll(async () => {
  const auction = { chainId, block: 100, deadlineBlock: 105, prices: { [sellToken]: '1' } }
  await database.insert(auctions).values([
    { ...auction, id: 7 },
    { ...auction, id: 9, block: 109 },
    { ...auction, id: 12, chainId: 1 },
  ])
  const entry = { chainId, leftAuctionId: null }
  await database.insert(auctionEntries).values([
    { ...entry, orderUid: uid('a3'), enteredAuctionId: 7 },
    { ...entry, orderUid: uid('a1'), enteredAuctionId: 2, leftAuctionId: 8 },
    { ...entry, orderUid: uid('a2'), enteredAuctionId: 2, leftAuctionId: 7 },
    { ...entry, orderUid: uid('a4'), enteredAuctionId: 8 },
    { ...entry, orderUid: uid('a5'), enteredAuctionId: 1, chainId: 1 },
  ])
  const solution = { chainId, auctionId: 7, solver, solutionId: 1, isWinner: false, filteredOut: false, score: 3n }
  await database.insert(solutions).values([
    { ...solution, uid: 0, isWinner: true, score: 2n ** 130n, referenceScore: 4n },
    { ...solution, uid: 1, filteredOut: true },
    { ...solution, uid: 0, auctionId: 9 },
  ])
  const amounts = { side: 'sell', limitSell: 1n, limitBuy: 1n, executedSell: 10n, executedBuy: 20n } as const
  const inSolution = { ...amounts, chainId, auctionId: 7, orderUid: uid('a1'), sellToken, buyToken }
  await database.insert(solutionOrders).values([
    { ...inSolution, solutionUid: 0 },
    { ...inSolution, solutionUid: 1, executedBuy: 19n },
    { ...inSolution, solutionUid: 0, auctionId: 9 },
  ])
  const settlement = { chainId, solver, ...gas, logIndex: 1 }
  await database.insert(settlements).values([
    { ...settlement, blockNumber: 103, transactionHash: hash('cc'), auctionId: 7, solutionUid: 0, settledAt },
    { ...settlement, blockNumber: 104, transactionHash: hash('dd') },
    { ...settlement, blockNumber: 105, transactionHash: hash('ee'), auctionId: 12, solutionUid: 0, chainId: 1 },
  ])
  const attempt = { chainId, solver, startBlock: 101, deadlineBlock: 105 }
  await database.insert(settlementAttempts).values([
    { ...attempt, auctionId: 7, solutionUid: 0, outcome: 'success' },
    { ...attempt, auctionId: 9, solutionUid: 0 },
  ])
})

afterAll(close)

test('returns an auction with its members, solutions from worst to best, settlements and attempts', async () => {
  const solution = { solver, isWinner: false, filteredOut: false, score: 3n, referenceScore: null }
  const order = { orderUid: uid('a1'), sellToken, buyToken, executedSell: 10n, executedBuy: 20n }
  expect(await selectSolverCompetition(database, chainId, 7)).toEqual({
    auction: { id: 7, block: 100, deadlineBlock: 105, prices: { [sellToken]: '1' }, leftOut: [], archiveKey: null },
    members: [uid('a1'), uid('a3')],
    solutions: [
      { ...solution, uid: 1, filteredOut: true },
      { ...solution, uid: 0, isWinner: true, score: 2n ** 130n, referenceScore: 4n },
    ],
    solutionOrders: expect.toSatisfy((rows: unknown[]) => rows.length === 2),
    settlements: [{ solutionUid: 0, transactionHash: hash('cc'), mismatch: null, blockNumber: 103, settledAt, ...gas }],
    attempts: [{ solutionUid: 0, outcome: 'success', endBlock: null, deadlineBlock: 105, blame: null }],
    head: null,
  })
  const { solutionOrders } = (await selectSolverCompetition(database, chainId, 7)) ?? {}
  expect(solutionOrders).toContainEqual({ ...order, solutionUid: 0 })
  expect(solutionOrders).toContainEqual({ ...order, solutionUid: 1, executedBuy: 19n })
})

test('finds no auction of another chain and no unknown auction', async () => {
  expect(await selectSolverCompetition(database, chainId, 12)).toBeUndefined()
  expect(await selectSolverCompetition(database, chainId, Number.MAX_SAFE_INTEGER)).toBeUndefined()
})

test('the latest auction is the one with the highest id of its chain', async () => {
  expect(await selectLatestAuctionId(database, chainId)).toBe(9)
  expect(await selectLatestAuctionId(database, 1)).toBe(12)
  expect(await selectLatestAuctionId(database, 100)).toBeNull()
})

test('a transaction leads to its auction once its settlement is attributed', async () => {
  expect(await selectSettledAuctionId(database, chainId, hash('cc'))).toBe(7)
  expect(await selectSettledAuctionId(database, chainId, hash('dd'))).toBeNull()
  expect(await selectSettledAuctionId(database, chainId, hash('ee'))).toBeNull()
})

test('an auction is past once its deadline block is indexed', async () => {
  const block = { chainId, hash: hash('b1'), timestamp: new Date() }
  const past = async () => [
    await selectLatestAuctionId(database, chainId, true),
    (await selectSolverCompetition(database, chainId, 7, true))?.auction.id,
  ]
  expect(await past()).toEqual([null, undefined])
  await database.insert(blocks).values({ ...block, number: 104 })
  expect(await past()).toEqual([null, undefined])
  await database.insert(blocks).values({ ...block, number: 105 })
  await database.update(auctions).set({ deadlineBlock: 106 }).where(eq(auctions.id, 9))
  expect(await past()).toEqual([7, 7])
  expect(await selectLatestAuctionId(database, chainId)).toBe(9)
})

measureRows(selectLatestAuctionId, (database, h) => selectLatestAuctionId(database, h.chainId))
measureRows(selectLatestAuctionId, (database, h) => selectLatestAuctionId(database, h.chainId, true))
measureRows(selectSettledAuctionId, (database, h) => selectSettledAuctionId(database, h.chainId, hashOf(h.middle + 1)))
measureRows(selectSolverCompetition, (database, h) => selectSolverCompetition(database, h.chainId, h.auctionId))
measureRows(selectSolverCompetition, (database, h) => selectSolverCompetition(database, h.chainId, h.auctionId, true))
