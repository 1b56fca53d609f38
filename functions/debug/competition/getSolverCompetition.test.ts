import { expect, test } from 'vitest'
import type { SolverCompetitionFacts } from '#schema/queries/auctions/solverCompetition.ts'
import { getSolverCompetition } from './getSolverCompetition.ts'

const winner = `0x${'5a'.repeat(20)}` as const
const second = `0x${'5c'.repeat(20)}` as const
const loser = `0x${'5b'.repeat(20)}` as const
const [first, other] = [`0x${'a1'.repeat(56)}`, `0x${'a2'.repeat(56)}`] as const
const [tokenA, tokenB] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`] as const
const absent = `0x${'ab'.repeat(20)}` as const
const transactionHash = `0x${'cc'.repeat(32)}` as const

const solution = { isWinner: true, filteredOut: false, referenceScore: null }
const solutionOrder = { sellToken: tokenA, buyToken: tokenB, executedSell: 10n ** 21n, executedBuy: 5n }

const mismatch = [
  { orderUid: first, promised: { sellAmount: '9', buyAmount: '8' }, settled: { sellAmount: '9', buyAmount: '7' } },
]

/** Two winners and a loser; one winner has settled, for less than promised. */
const facts: SolverCompetitionFacts = {
  auction: {
    ...{ id: 7, block: 100, deadlineBlock: 105, prices: { [tokenA]: '1', [tokenB]: '2' }, archiveKey: null },
    leftOut: [{ solver: absent, kind: 'suspended', reason: 'until later' }],
  },
  members: [first, other],
  solutions: [
    { ...solution, uid: 2, solver: loser, score: 3n, isWinner: false, filteredOut: true },
    { ...solution, uid: 1, solver: second, score: 4n, referenceScore: 0n },
    { ...solution, uid: 0, solver: winner, score: 5n, referenceScore: 4n },
  ],
  solutionOrders: [
    { ...solutionOrder, solutionUid: 0, orderUid: first },
    { ...solutionOrder, solutionUid: 1, orderUid: other },
    { ...solutionOrder, solutionUid: 2, orderUid: first },
    { ...solutionOrder, solutionUid: 2, orderUid: other },
  ],
  settlements: [{ solutionUid: 0, transactionHash, mismatch }],
  attempts: [
    { solutionUid: 0, outcome: 'mismatch', endBlock: 103 },
    { solutionUid: 1, outcome: null, endBlock: null },
  ],
  head: 1_000,
}

const setUp = (competition: SolverCompetitionFacts | undefined = facts) =>
  getSolverCompetition({
    finalBlocks: 64,
    hideBeforeDeadline: false,
    token: 'secret',
    findLatestAuctionId: async () => (competition ? competition.auction.id : null),
    findSettledAuctionId: async (hash) => (hash === transactionHash ? 7 : null),
    findCompetition: async (id) => (id === competition?.auction.id ? competition : undefined),
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

test('a competition is cached only once every winner has an outcome that no reorganisation undoes', async () => {
  const cacheControl = async (competition: SolverCompetitionFacts, path = '7') =>
    (await setUp(competition).request(`/api/v2/solver_competition/${path}`)).headers.get('Cache-Control')
  const finished = {
    ...facts,
    attempts: [
      { solutionUid: 0, outcome: 'success', endBlock: 103 },
      { solutionUid: 1, outcome: 'timeout', endBlock: 107 },
    ],
  }
  expect(await cacheControl(facts)).toBe('no-cache')
  expect(await cacheControl({ ...facts, attempts: [] })).toBe('no-cache')
  expect(await cacheControl({ ...facts, attempts: finished.attempts.slice(0, 1) })).toBe('no-cache')
  expect(await cacheControl({ ...finished, head: null })).toBe('no-cache')
  expect(await cacheControl({ ...finished, head: 107 + 64 })).toBe('no-cache')
  expect(await cacheControl({ ...finished, head: 107 + 65 })).toBe('public, max-age=86400')
  expect(await cacheControl(finished, 'latest')).toBe('no-cache')
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
  const none = getSolverCompetition({
    finalBlocks: 64,
    hideBeforeDeadline: false,
    token: undefined,
    findLatestAuctionId: async () => null,
    findSettledAuctionId: async () => null,
    findCompetition: async () => facts,
  })
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
  const app = getSolverCompetition({
    finalBlocks: 64,
    hideBeforeDeadline: true,
    token: 'secret',
    findLatestAuctionId: async (onlyPast) => (onlyPast ? null : 7),
    findSettledAuctionId: async () => 7,
    findCompetition: async (_, onlyPast) => (onlyPast ? undefined : facts),
  })
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
