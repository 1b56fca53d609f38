import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { CurrentStatus } from '#schema/queries/status/selectCurrentStatus.ts'
import { networkStatusSchema } from '#shared/alarms/networkStatusSchema.ts'
import { getStatus, type StatusDeps } from './getStatus.ts'

const latency = { count: 3, p50Ms: 10, p95Ms: 20, p99Ms: 30 }
const current: CurrentStatus = {
  quotes: latency,
  submissions: latency,
  timeToFill: latency,
  auctions: { newestId: 5, newestAgeSeconds: 3, openOrders: 1, lastWinAgeSeconds: 9, fillsLastHour: 2 },
  indexed: { block: 100, timestamp: 1_700_000_000 },
  oldestUndeliveredSeconds: null,
  suspensions: [],
}

const setUp = (changes: Partial<StatusDeps> = {}) => {
  const asked = { current: 0, recent: 0, head: 0 }
  let now = 1_700_000_060_000
  const app = getStatus({
    chainId: 11_155_111,
    knownSolvers: [],
    now: () => now,
    selectCurrentStatus: async () => {
      asked.current += 1
      return current
    },
    selectRecentStatus: async () => {
      asked.recent += 1
      return { solvers: [], solvedAuctions: 0, hours: [] }
    },
    findHead: async () => {
      asked.head += 1
      return { number: 103n, timestamp: 1_700_000_036n }
    },
    findSolverFaults: async () => new Map(),
    ...changes,
  })
  const pass = (ms: number) => {
    now += ms
  }
  return { asked, pass, ask: () => app.request('/status.json') }
}

test('matches its schema, is cacheable for five seconds, and compares the indexer with the node', async () => {
  const response = await setUp().ask()
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=5')
  const status = networkStatusSchema.strict().parse(await response.json())
  expect(status).toMatchObject({
    state: 'ok',
    time: '2023-11-14T22:14:20.000Z',
    quotes: latency,
    indexer: {
      block: 100,
      head: 103,
      safeBlock: 71,
      finalizedBlock: 7,
      lagBlocks: 3,
      lagSeconds: 36,
      headAgeSeconds: 24,
    },
    notifications: { oldestUndeliveredSeconds: null },
  })
})

test.each([
  ['fails', () => Promise.reject(new Error('no node'))],
  ['never answers', () => new Promise<never>(() => undefined)],
])('a node that %s leaves its fields null', async (_, findHead) => {
  const response = await setUp({ findHead }).ask()
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    quotes: latency,
    indexer: {
      ...{ block: 100, head: null, safeBlock: 68, finalizedBlock: 4 },
      ...{ lagBlocks: null, lagSeconds: null, headAgeSeconds: null },
    },
  })
})

test('a node behind the indexer has no negative lag', async () => {
  const findHead = async () => ({ number: 98n, timestamp: 1_800_000_000n })
  const { indexer } = networkStatusSchema.parse(await (await setUp({ findHead }).ask()).json())
  expect(indexer).toMatchObject({ lagBlocks: 0, headAgeSeconds: 0 })
})

test('lists the configured solvers, and counts all solved auctions as missed by inactive ones', async () => {
  const [direct, late, former] = (['01', '02', '03'] as const).map((byte): Address => `0x${byte.repeat(20)}`)
  if (!direct || !late || !former) throw new Error('no addresses')
  const counts = { solutions: 4, wins: 3, attempts: 3, successes: 3, failures: 0 }
  const times = { from: '2026-11-22T10:00:00Z', until: '2026-11-22T10:01:00Z' }
  const suspension = { ...times, reason: 'timeout', failures: 3 } as const
  const { ask } = setUp({
    findSolverFaults: async () => new Map([[late, 'funds: the account holds 0 wei']]),
    selectCurrentStatus: async () => ({ ...current, suspensions: [{ address: direct, ...suspension }] }),
    knownSolvers: [
      { name: 'late', address: late },
      { name: 'direct', address: direct },
    ],
    selectRecentStatus: async () => ({
      solvers: [
        { ...counts, address: direct, lastSolutionAgeSeconds: 30, missedAuctions: 0 },
        { ...counts, address: former, solutions: 0, lastSolutionAgeSeconds: null, missedAuctions: null },
      ],
      solvedAuctions: 12,
      hours: [],
    }),
  })
  const { solvers } = networkStatusSchema.strict().parse(await (await ask()).json())
  expect(solvers).toEqual([
    {
      ...{ ...counts, fault: null, name: 'direct', address: direct },
      ...{ lastSolutionAgeSeconds: 30, missedAuctions: 0, suspension },
    },
    {
      ...counts,
      fault: null,
      name: null,
      address: former,
      solutions: 0,
      lastSolutionAgeSeconds: null,
      missedAuctions: 12,
      suspension: null,
    },
    {
      ...{
        name: 'late',
        fault: 'funds: the account holds 0 wei',
        address: late,
        lastSolutionAgeSeconds: null,
        missedAuctions: 12,
        suspension: null,
      },
      ...{ solutions: 0, wins: 0, attempts: 0, successes: 0, failures: 0 },
    },
  ])
})

test('caches the status for five seconds, the last day for a minute, and no failure', async () => {
  const { ask, asked, pass } = setUp()
  await ask()
  pass(4_999)
  await ask()
  expect(asked).toEqual({ current: 1, recent: 1, head: 1 })
  pass(1)
  await ask()
  expect(asked).toEqual({ current: 2, recent: 1, head: 2 })
  pass(60_000)
  await ask()
  expect(asked).toEqual({ current: 3, recent: 2, head: 3 })

  let failing = true
  const flaky = setUp({ selectCurrentStatus: async () => (failing ? Promise.reject(new Error('away')) : current) })
  expect((await flaky.ask()).status).toBe(500)
  failing = false
  expect((await flaky.ask()).status).toBe(200)
})
