import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import {
  explorerSolvers,
  insertExplorerAuctions,
  insertExplorerOrders,
  insertExplorerTrades,
} from '#test/helpers/database/explorerRows.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { priceSamples } from '../../tables/markets/priceSamples.ts'
import { selectNetworkAuctions } from './networkAuctions.ts'
import { type NetworkStatistics, selectNetworkStatistics } from './networkStatistics.ts'
import { type SolverTotals, selectSolverStatistics } from './solverStatistics.ts'

const { chainId, wrappedNative } = networks.sepolia
const daySeconds = 86_400
/** a minute ago, so that no row is at the edge of a window */
const at = Math.floor(Date.now() / 1_000) - 60
const { database, close } = await startTestDatabase()
let trades: Awaited<ReturnType<typeof insertExplorerTrades>>
let auctions: Awaited<ReturnType<typeof insertExplorerAuctions>>
let orders: Awaited<ReturnType<typeof insertExplorerOrders>>

beforeAll(async () => {
  trades = await insertExplorerTrades(database, 800, at)
  orders = await insertExplorerOrders(database, 90, at)
  auctions = await insertExplorerAuctions(database, 200, at)
})
afterAll(close)

const windows = { day: at + 60 - daySeconds, week: at + 60 - 7 * daySeconds }
const isIn = (window: keyof typeof windows, date: Date | undefined) => Number(date) / 1_000 >= windows[window]
const total = (values: (bigint | null)[]) => values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n)

test.each(['day', 'week'] as const)(
  'the statistics of a %s are those of its trades and orders to the wei',
  async (window) => {
    const statistics = await selectNetworkStatistics(database, { chainId, wrappedNative })
    const members = trades.filter(({ settledAt }) => isIn(window, settledAt))
    const expected: NetworkStatistics['day'] = {
      orders: orders.filter(
        ({ signingScheme, presigned, onchainUser, createdAt }) =>
          isIn(window, createdAt) && !(signingScheme === 'presign' && !presigned && !onchainUser),
      ).length,
      trades: members.length,
      valuedTrades: members.filter(({ volume }) => volume !== null).length,
      traders: new Set(members.map(({ trader }) => trader)).size,
      volume: total(members.map(({ volume }) => volume)).toString(),
      volumeUsd: null,
      surplus: total(members.map(({ surplus }) => surplus)).toString(),
    }
    expect(members.length).toBeGreaterThan(0)
    expect(statistics[window]).toEqual(expected)
  },
)

test('the volume in US dollars uses the price sampled nearest to the hour', async () => {
  const sampledAt = new Date(Math.floor(at / 300) * 300_000)
  await database.insert(priceSamples).values({ chainId, token: wrappedNative, sampledAt, price: 2_000 })
  const { day } = await selectNetworkStatistics(database, { chainId, wrappedNative })
  expect(day.volumeUsd).toBeCloseTo((Number(day.volume) / 1e18) * 2_000, 1)
})

test('a network without activity has zeros', async () => {
  const { day } = await selectNetworkStatistics(database, { chainId: 1, wrappedNative })
  expect(day).toEqual({ orders: 0, trades: 0, valuedTrades: 0, traders: 0, volume: '0', volumeUsd: null, surplus: '0' })
  expect(await selectSolverStatistics(database, 1)).toEqual([])
})

test.each(['day', 'week'] as const)(
  'the results of solvers in a %s agree with auctions, attempts and trades',
  async (window) => {
    const found = await selectSolverStatistics(database, chainId)
    const recent = auctions.filter(({ createdAt }) => isIn(window, createdAt))
    const expected = explorerSolvers.map((solver) => {
      const won = recent.filter(({ ranked }) => ranked[0] === solver)
      const count = (outcome: string | null) => won.filter((auction) => auction.outcome === outcome).length
      const totals: SolverTotals = {
        auctions: recent.length,
        wins: won.length,
        settled: count('success'),
        reverted: count('driver failed: reverted'),
        timedOut: count('timeout'),
        mismatched: count('mismatch'),
        running: count(null),
        surplus: total(
          trades
            .filter((trade) => trade.solver === solver && isIn(window, trade.settledAt))
            .map(({ surplus }) => surplus),
        ).toString(),
      }
      return { address: solver, totals }
    })
    expect(recent.length).toBeGreaterThan(20)
    expect(found).toHaveLength(2)
    expect(found.map((solver) => ({ address: solver.address, totals: solver[window] }))).toEqual(
      expect.arrayContaining(expected),
    )
    expect(BigInt(found[0]?.week.surplus ?? 0)).toBeGreaterThanOrEqual(BigInt(found[1]?.week.surplus ?? 0))
  },
)

test('auctions come newest first with their winners, in pages', async () => {
  const first = await selectNetworkAuctions(database, chainId, { limit: 3 })
  expect(first.map(({ id }) => id)).toEqual([200, 199, 198])
  expect(first[0]).toEqual({
    ...{ id: 200, block: 200, deadlineBlock: 205, createdAt: new Date(at * 1_000).toISOString() },
    ...{ orderCount: 3, solutionCount: 2 },
    winners: [
      {
        solver: auctions[0]?.ranked[0],
        score: '10',
        outcome: auctions[0]?.outcome,
        transactionHash: expect.stringMatching(/^0x/),
      },
    ],
  })
  const next = await selectNetworkAuctions(database, chainId, { limit: 3, before: 198 })
  expect(next.map(({ id }) => id)).toEqual([197, 196, 195])
  expect(await selectNetworkAuctions(database, chainId, { limit: 3, onlyPast: true })).toEqual([])
})

measureRows(
  selectNetworkStatistics,
  (database, h) => selectNetworkStatistics(database, { chainId: h.chainId, wrappedNative: h.wrappedNative }),
  { reads: (h) => h.rowsOfDays(7, 4) },
)
measureRows(selectNetworkAuctions, (database, h) => selectNetworkAuctions(database, h.chainId, { limit: 100 }))
measureRows(selectNetworkAuctions, (database, h) =>
  selectNetworkAuctions(database, h.chainId, { limit: 100, before: h.auctionId, onlyPast: true }),
)
measureRows(selectSolverStatistics, (database, h) => selectSolverStatistics(database, h.chainId), {
  reads: (h) => h.rowsOfDays(7, 4),
})
