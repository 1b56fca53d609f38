import { type Address, pad } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { auctions } from '#schema/tables/auctions/auctions.ts'
import { solutions } from '#schema/tables/auctions/solutions.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { solverSuspensions } from '#schema/tables/settlements/solverSuspensions.ts'
import { tradeValues } from '#schema/tables/settlements/tradeValues.ts'
import { networks } from '#shared/networks.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getSolvers } from './getSolvers.ts'
import { getStatistics } from './getStatistics.ts'

const network = networks.sepolia
const { chainId } = network
const [active, idle]: [Address, Address] = [pad('0x1', { size: 20 }), pad('0x2', { size: 20 })]
const { database, databaseUrl, close } = await startTestDatabase()
afterAll(close)

beforeAll(async () => {
  const place = { chainId, blockNumber: 1, trader: idle, solver: active }
  const amounts = { sellToken: active, buyToken: idle, sellAmount: 1n, buyAmount: 1n }
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  await database.insert(tradeValues).values([
    { ...place, ...amounts, logIndex: 1, settledAt: daysAgo(0), volume: 9n, surplus: 12n },
    { ...place, ...amounts, logIndex: 2, settledAt: daysAgo(3), volume: 20n, surplus: 30n },
  ])
})

const noResults = {
  ...{ auctions: 0, wins: 0, settled: 0, reverted: 0, timedOut: 0, mismatched: 0, running: 0 },
  surplus: '0',
}

test('lists solvers with results, their names and suspensions, then idle ones', async () => {
  const solver = active
  await database.insert(auctions).values({ chainId, id: 1, block: 1, deadlineBlock: 2, prices: {} })
  const common = { chainId, auctionId: 1, filteredOut: false }
  await database.insert(solutions).values({ ...common, uid: 0, solutionId: 1, solver, isWinner: true, score: 1n })
  const attempt = { solutionUid: 0, solver, startBlock: 1, deadlineBlock: 2, outcome: 'success' }
  await database.insert(settlementAttempts).values({ chainId, auctionId: 1, startedAt: new Date(), ...attempt })
  const [from, until] = [new Date('2026-11-22T10:00:00Z'), new Date('2100-11-22T10:05:00Z')]
  const suspension = { reason: 'timeout', failures: 3 } as const
  await database
    .insert(solverSuspensions)
    .values({ chainId, solver, auctionId: 1, from, until, ...suspension, level: 1 })
  const knownSolvers = [{ name: 'idle', address: idle }]
  const app = getSolvers({ database, chainId, knownSolvers, now: () => 0 })
  const response = await app.request('/api/v1/explorer/solvers')
  expect(response.headers.get('Cache-Control')).toContain('public, max-age=60')
  const day = { ...noResults, auctions: 1, wins: 1, settled: 1, surplus: '12' }
  const times = { from: '2026-11-22T10:00:00Z', until: '2100-11-22T10:05:00Z' }
  expect(await response.json()).toEqual([
    {
      address: active,
      name: null,
      suspension: { ...times, ...suspension, attempts: [] },
      day,
      week: { ...day, surplus: '42' },
    },
    { address: idle, name: 'idle', suspension: null, day: noResults, week: noResults },
  ])
})

test('statistics are computed at most once a minute', async () => {
  let statements = 0
  let now = 0
  const counted = connectDatabase(databaseUrl, 20_000, (url, init) => {
    statements += 1
    return fetch(url, init)
  })
  const solvers = getSolvers({ database: counted, chainId, knownSolvers: [], now: () => now })
  const statistics = getStatistics({ database: counted, network, now: () => now })
  const expected = []
  for (const ms of [0, 59_999, 1]) {
    now += ms
    expect((await solvers.request('/api/v1/explorer/solvers')).status).toBe(200)
    const response = await statistics.request('/api/v1/explorer/statistics')
    expect(await response.json()).toMatchObject({
      day: { trades: 1, volume: '9', surplus: '12' },
      week: { trades: 2, volume: '29', surplus: '42' },
    })
    expected.push(statements)
  }
  expect(expected).toEqual([3, 3, 6])
})
