import { pad } from 'viem'
import { expect, test } from 'vitest'
import type { SolverStatistics } from '#schema/queries/explorer/solverStatistics.ts'
import { getSolvers } from './getSolvers.ts'
import { getStatistics } from './getStatistics.ts'

const [active, idle] = [pad('0x1', { size: 20 }), pad('0x2', { size: 20 })]
const totals = { auctions: 5, wins: 4, settled: 1, reverted: 1, timedOut: 1, mismatched: 1, running: 0, surplus: '12' }
const row: SolverStatistics = { address: active, day: totals, week: totals }
const suspension = {
  from: '2026-11-22T10:00:00Z',
  until: '2026-11-22T10:05:00Z',
  reason: 'timeout' as const,
  failures: 3,
}

const setUp = () => {
  const asked = { solvers: 0, statistics: 0 }
  let now = 0
  const volume = { orders: 1, trades: 1, valuedTrades: 1, traders: 1, volume: '9', volumeUsd: null, surplus: '1' }
  const solvers = getSolvers({
    knownSolvers: [{ name: 'idle', address: idle }],
    now: () => now,
    selectSolverStatistics: async () => {
      asked.solvers += 1
      return [row]
    },
    selectSuspensions: async () => [{ address: active, ...suspension }],
  })
  const statistics = getStatistics({
    now: () => now,
    selectNetworkStatistics: async () => {
      asked.statistics += 1
      return { day: volume, week: volume }
    },
  })
  const pass = (ms: number) => {
    now += ms
  }
  return {
    asked,
    pass,
    solvers: () => solvers.request('/api/v1/explorer/solvers'),
    statistics: () => statistics.request('/api/v1/explorer/statistics'),
  }
}

test('lists solvers with results, their names and suspensions, then idle ones', async () => {
  const response = await setUp().solvers()
  expect(response.headers.get('Cache-Control')).toContain('public, max-age=60')
  const none = {
    ...{ auctions: 0, wins: 0, settled: 0, reverted: 0, timedOut: 0, mismatched: 0, running: 0 },
    surplus: '0',
  }
  expect(await response.json()).toEqual([
    { ...row, name: null, suspension },
    { address: idle, name: 'idle', suspension: null, day: none, week: none },
  ])
})

test('statistics are computed at most once a minute', async () => {
  const { asked, pass, solvers, statistics } = setUp()
  for (const ms of [0, 59_999, 1]) {
    pass(ms)
    expect((await solvers()).status).toBe(200)
    expect(await (await statistics()).json()).toMatchObject({ day: { volume: '9' } })
  }
  expect(asked).toEqual({ solvers: 2, statistics: 2 })
})
