import { expect, test } from 'vitest'
import type { JudgedStatus } from './alarmRules.ts'
import { computeAlarms } from './computeAlarms.ts'

const latency = { count: 10, p50Ms: 10, p95Ms: 20, p99Ms: 30 }
const solver = {
  ...{ name: 'direct', address: `0x${'01'.repeat(20)}`, solutions: 5, wins: 5 },
  ...{ attempts: 5, successes: 4, failures: 1, lastSolutionAgeSeconds: 4, missedAuctions: 10, fault: null, debt: '0' },
  suspension: null as JudgedStatus['solvers'][number]['suspension'],
}
const suspension = {
  from: '2026-11-01T00:00:00Z',
  until: '2026-11-01T00:01:00Z',
  reason: 'timeout' as const,
  failures: 3,
  attempts: [],
}
const well: JudgedStatus = {
  state: 'ok',
  chainId: 11_155_111,
  time: '2026-11-01T00:00:00.000Z',
  pauses: [],
  quotes: latency,
  submissions: latency,
  timeToFill: latency,
  auctions: { newestId: 4, newestAgeSeconds: 60, openOrders: 1, lastWinAgeSeconds: 9_000, fillsLastHour: 0 },
  indexer: {
    block: 95,
    head: 100,
    safeBlock: 1,
    finalizedBlock: 1,
    lagBlocks: 5,
    lagSeconds: 60,
    headAgeSeconds: 120,
    difference: null,
  },
  notifications: { oldestUndeliveredSeconds: 300 },
  solvers: [solver],
  hours: [],
}
const context = { blockTimeSeconds: 12 }

const find = (changes: Partial<JudgedStatus>) =>
  computeAlarms({ ...well, ...changes }, context).map(({ id, value }) => `${id}: ${value}`)

test('a figure at its limit raises no alarm', () => {
  expect(find({})).toEqual([])
})

const { auctions, indexer } = well
const busyHour = { quotes: 0, quoteP95Ms: null, submissions: 0, submissionP95Ms: null, fills: 24, hour: well.time }

test.each<[string, Partial<JudgedStatus>, string[]]>([
  ['a slow quote', { quotes: { ...latency, p95Ms: 3_001 } }, ['quoteLatency: 3,001 ms']],
  ['a slow submission', { submissions: { ...latency, p95Ms: 1_001 } }, ['submissionLatency: 1,001 ms']],
  ['no latency at all', { quotes: { count: 0, p50Ms: null, p95Ms: null, p99Ms: null } }, []],
  [
    'a lag',
    { indexer: { ...indexer, lagBlocks: 6, lagSeconds: 72 } },
    ['lagBlocks: 6 blocks', 'lagSeconds: 1 min 12 s'],
  ],
  ['a head that stands still', { indexer: { ...indexer, headAgeSeconds: 121 } }, ['headAge: 2 min 1 s']],
  [
    'a node that is away',
    {
      indexer: {
        block: 95,
        head: null,
        safeBlock: 1,
        finalizedBlock: 1,
        lagBlocks: null,
        lagSeconds: null,
        headAgeSeconds: null,
        difference: null,
      },
    },
    ['noHead: no response'],
  ],
  [
    'logs that a node leaves out',
    { indexer: { ...indexer, difference: 'logs of block 7 are missing' } },
    ['chainDifference: logs of block 7 are missing'],
  ],
  ['an old auction', { auctions: { ...auctions, newestAgeSeconds: 61 } }, ['auctionAge: 1 min 1 s']],
  ['an auction too old to know', { auctions: { ...auctions, newestAgeSeconds: null } }, ['auctionAge: long ago']],
  ['an old auction without orders', { auctions: { ...auctions, newestAgeSeconds: 61, openOrders: 0 } }, []],
  ['no win on a busy network', { hours: [busyHour] }, ['lastWin: 2 h 30 min']],
  ['no win on a quiet network', { hours: [{ ...busyHour, fills: 23 }] }, []],
  ['a notification', { notifications: { oldestUndeliveredSeconds: 301 } }, ['undelivered: 5 min 1 s']],
  ['a solver that fails', { solvers: [{ ...solver, failures: 2 }] }, ['solverFailures: 40 %']],
  ['a solver that stopped', { solvers: [{ ...solver, missedAuctions: 11 }] }, ['solverStopped: 11']],
  ['a solver without funds', { solvers: [{ ...solver, fault: 'funds: 0 wei' }] }, ['solverFault: funds: 0 wei']],
  [
    'the last solver, suspended',
    {
      solvers: [
        { ...solver, suspension },
        { ...solver, name: null },
      ],
    },
    ['allSuspended: all suspended'],
  ],
  ['one of two, suspended', { solvers: [{ ...solver, suspension }, solver] }, []],
  ['one that was taken off', { solvers: [{ ...solver, name: null, missedAuctions: 11 }] }, []],
])('%s', (_, changes, expected) => {
  expect(find(changes)).toEqual(expected)
})

test('a fast network may be behind by the blocks of 20 s, and its head 30 s old', () => {
  const findFast = (changes: Partial<JudgedStatus['indexer']>) =>
    computeAlarms({ ...well, indexer: { ...indexer, headAgeSeconds: 30, ...changes } }, { blockTimeSeconds: 0.25 })
  expect(findFast({ lagBlocks: 80 })).toEqual([])
  expect(findFast({ lagBlocks: 81 }).map(({ id }) => id)).toEqual(['lagBlocks'])
  expect(findFast({ headAgeSeconds: 31 }).map(({ id }) => id)).toEqual(['headAge'])
})

test('alarms of several solvers are separate, and a network without a status has only that alarm', () => {
  const stopped = { ...solver, missedAuctions: 99 }
  const other = { ...stopped, address: `0x${'02'.repeat(20)}` }
  const alarms = computeAlarms({ ...well, solvers: [stopped, other] }, context)
  expect(alarms.map(({ key }) => key)).toEqual([`solverStopped/${solver.address}`, `solverStopped/${other.address}`])
  expect(computeAlarms({ state: 'unavailable' }, context).map(({ key }) => key)).toEqual(['unavailable'])
})
