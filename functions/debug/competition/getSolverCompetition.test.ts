import { afterAll, beforeAll, expect, test } from 'vitest'
import { auctionEntries, auctions } from '#schema/tables/auctions/auctions.ts'
import { solutionOrders, solutions } from '#schema/tables/auctions/solutions.ts'
import { blocks } from '#schema/tables/chain/blocks.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { hashOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { connectArchive } from '../archive/connectArchive.ts'
import { getSolverCompetition, type SolverCompetitionDeps } from './getSolverCompetition.ts'
import { isFinal } from './isFinal.ts'

const chainId: number = 11_155_111

const winner = `0x${'5a'.repeat(20)}` as const
const second = `0x${'5c'.repeat(20)}` as const
const loser = `0x${'5b'.repeat(20)}` as const
const [first, other] = [`0x${'a1'.repeat(56)}`, `0x${'a2'.repeat(56)}`] as const
const [tokenA, tokenB] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`] as const
const absent = `0x${'ab'.repeat(20)}` as const
const transactionHash = `0x${'cc'.repeat(32)}` as const

const mismatch = [
  { orderUid: first, promised: { sellAmount: '9', buyAmount: '8' }, settled: { sellAmount: '9', buyAmount: '7' } },
]
const blame = { party: 'solver' as const, orders: [], reason: 'paid less', debt: '2' }
const { database, close } = await startTestDatabase()
afterAll(close)

/** Two winners and a loser; one winner has settled, for less than promised. */
const settledAt = new Date('2026-11-29T00:00:00Z')

beforeAll(async () => {
  const prices = { [tokenA]: '1', [tokenB]: '2' }
  const leftOut = [{ solver: absent, kind: 'suspended' as const, reason: 'until later' }]
  await database.insert(auctions).values({ chainId, id: 7, block: 100, deadlineBlock: 105, prices, leftOut })
  await database
    .insert(auctionEntries)
    .values([first, other].map((orderUid) => ({ chainId, orderUid, enteredAuctionId: 7 })))
  const solution = { chainId, auctionId: 7, solutionId: 1, isWinner: true, filteredOut: false }
  await database.insert(solutions).values([
    { ...solution, uid: 2, solver: loser, score: 3n, isWinner: false, filteredOut: true },
    { ...solution, uid: 1, solver: second, score: 4n, referenceScore: 0n },
    { ...solution, uid: 0, solver: winner, score: 5n, referenceScore: 4n },
  ])
  const limits = { side: 'sell', sellToken: tokenA, buyToken: tokenB, limitSell: 1n, limitBuy: 1n } as const
  const inSolution = { chainId, auctionId: 7, ...limits, executedSell: 10n ** 21n, executedBuy: 5n }
  await database.insert(solutionOrders).values([
    { ...inSolution, solutionUid: 0, orderUid: first },
    { ...inSolution, solutionUid: 1, orderUid: other },
    { ...inSolution, solutionUid: 2, orderUid: first },
    { ...inSolution, solutionUid: 2, orderUid: other },
  ])
  const settlement = { chainId, auctionId: 7, solutionUid: 0, solver: winner, transactionHash, mismatch }
  await database
    .insert(settlements)
    .values({ ...settlement, blockNumber: 103, settledAt, logIndex: 1, gasUsed: 1n, effectiveGasPrice: 1n })
  const attempt = { chainId, auctionId: 7, solver: winner, startBlock: 101, deadlineBlock: 105 }
  await database.insert(settlementAttempts).values([
    { ...attempt, solutionUid: 0, outcome: 'mismatch', endBlock: 103, blame },
    { ...attempt, solutionUid: 1, deadlineBlock: 103 },
  ])
})

const setUp = (changes: Partial<SolverCompetitionDeps> = {}) =>
  getSolverCompetition({
    database,
    chainId,
    archive: connectArchive(undefined, chainId),
    finalBlocks: 64,
    hideBeforeDeadline: false,
    token: 'secret',
    ...changes,
  })

const order = (id: string) => ({
  id,
  sellAmount: '1000000000000000000000',
  buyAmount: '5',
  sellToken: tokenA,
  buyToken: tokenB,
})

const version2 = {
  auctionId: 7,
  auctionStartBlock: 100,
  auctionDeadlineBlock: 105,
  transactionHashes: [transactionHash],
  referenceScores: { [winner]: '4', [second]: '0' },
  auction: { orders: [first, other], prices: { [tokenA]: '1', [tokenB]: '2' } },
  solutions: [
    {
      solverAddress: loser,
      score: '3',
      ranking: 3,
      clearingPrices: {},
      orders: [order(first), order(other)],
      isWinner: false,
      filteredOut: true,
      txHash: null,
      referenceScore: null,
      outcome: null,
    },
    {
      solverAddress: second,
      score: '4',
      ranking: 2,
      clearingPrices: {},
      orders: [order(other)],
      isWinner: true,
      filteredOut: false,
      txHash: null,
      referenceScore: '0',
      outcome: null,
      deadlineBlock: 103,
    },
    {
      solverAddress: winner,
      score: '5',
      ranking: 1,
      clearingPrices: {},
      orders: [order(first)],
      isWinner: true,
      filteredOut: false,
      txHash: transactionHash,
      referenceScore: '4',
      outcome: 'mismatch',
      mismatch,
      deadlineBlock: 105,
      blame,
      settlement: { block: 103, time: settledAt.toISOString(), gasUsed: '1', effectiveGasPrice: '1' },
    },
  ],
  leftOut: [{ solverAddress: absent, kind: 'suspended', reason: 'until later' }],
}

test.each([
  '/api/v2/solver_competition/7',
  '/api/v2/solver_competition/007',
  '/api/v2/solver_competition/latest',
  `/api/v2/solver_competition/by_tx_hash/${transactionHash}`,
  '/restricted/api/v2/solver_competition/7',
])('%s has the shape of version 2', async (path) => {
  const response = await setUp().request(path)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(version2)
})

test.each(['7', 'latest', `by_tx_hash/${transactionHash}`])('version 1 of %s names the solvers', async (path) => {
  const response = await setUp().request(`/api/v1/solver_competition/${path}`)
  expect(await response.json()).toEqual({
    ...version2,
    competitionSimulationBlock: 100,
    solutions: version2.solutions.map((solution) => ({ solver: solution.solverAddress, ...solution })),
  })
})

test('a competition is final once every winner has an outcome that no reorganisation undoes', () => {
  const finished = {
    auction: { id: 7, block: 100, deadlineBlock: 105, prices: {}, leftOut: [], archiveKey: null },
    solutions: [0, 1].map((uid) => ({
      ...{ uid, solver: winner, isWinner: true, filteredOut: false, score: 1n, referenceScore: null },
    })),
    attempts: [
      { solutionUid: 0, outcome: 'success', endBlock: 103 },
      { solutionUid: 1, outcome: 'timeout', endBlock: 107 },
    ],
    head: 107 + 65,
  }
  const running = { solutionUid: 1, outcome: null, endBlock: null }
  expect(isFinal(finished, 64)).toBe(true)
  expect(isFinal({ ...finished, head: 107 + 64 }, 64)).toBe(false)
  expect(isFinal({ ...finished, head: null }, 64)).toBe(false)
  expect(isFinal({ ...finished, attempts: [] }, 64)).toBe(false)
  expect(isFinal({ ...finished, attempts: [...finished.attempts.slice(0, 1), running] }, 64)).toBe(false)
})

test.each(['8', '9007199254740993', '9223372036854775808', '18446744073709551615', `by_tx_hash/0x${'00'.repeat(32)}`])(
  'there is no competition %s',
  async (path) => {
    for (const version of ['v1', 'v2']) {
      const response = await setUp().request(`/api/${version}/solver_competition/${path}`)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({
        errorType: 'NotFound',
        description: 'solver competition not found',
      })
    }
  },
)

test('before the first auction there is no latest competition', async () => {
  const none = setUp({ chainId: 1 })
  expect((await none.request('/api/v2/solver_competition/latest')).status).toBe(404)
})

test.each([
  ['-1', 'auction_id'],
  ['1.5', 'auction_id'],
  ['0x7', 'auction_id'],
  ['newest', 'auction_id'],
  ['18446744073709551616', 'auction_id'],
  ['9'.repeat(21), 'auction_id'],
  ['by_tx_hash/0x12', 'tx_hash'],
])('%s is a 400 that names the parameter', async (path, field) => {
  const response = await setUp().request(`/api/v2/solver_competition/${path}`)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ errorType: 'InvalidParameter', data: { field } })
})

test('before its deadline a competition is available on the restricted path only, with the token', async () => {
  const app = setUp({ hideBeforeDeadline: true })
  const headers = { Authorization: 'Bearer secret' }
  for (const path of ['7', 'latest', `by_tx_hash/${transactionHash}`]) {
    for (const version of ['v1', 'v2']) {
      const hidden = await app.request(`/api/${version}/solver_competition/${path}`, { headers })
      expect([hidden.status, hidden.headers.get('Cache-Control')]).toEqual([404, 'no-store'])
    }
    const restricted = `/restricted/api/v2/solver_competition/${path}`
    expect((await app.request(restricted)).status).toBe(401)
    const response = await app.request(restricted, { headers })
    expect(await response.json()).toEqual(version2)
  }
})

test('only a final competition is cached, but not as the latest one', async () => {
  const cacheControl = async (path: string) =>
    (await setUp().request(`/api/v2/solver_competition/${path}`)).headers.get('Cache-Control')
  expect(await cacheControl('7')).toBe('no-cache')
  await database.update(settlementAttempts).set({ outcome: 'timeout', endBlock: 107 })
  await database.insert(blocks).values({ chainId, number: 107 + 65, hash: hashOf(1), timestamp: new Date() })
  expect(await cacheControl('7')).toBe('public, max-age=86400')
  expect(await cacheControl('latest')).toBe('no-cache')
})
