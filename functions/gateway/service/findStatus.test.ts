import { expect, test } from 'vitest'
import { settlesBefore } from '#test/helpers/stack/settles.ts'
import type { WorkerFetch } from '../routing/connectWorkers.ts'
import { findStatus, statusSchema } from './findStatus.ts'

const latency = { count: 0, p50Ms: null, p95Ms: null, p99Ms: null }
const status = {
  state: 'ok',
  chainId: 1,
  time: '2026-11-01T00:00:00.000Z',
  pauses: [],
  quotes: latency,
  submissions: latency,
  timeToFill: latency,
  auctions: { newestId: null, newestAgeSeconds: null, openOrders: 0, lastWinAgeSeconds: null, fillsLastHour: 0 },
  indexer: {
    block: 1,
    head: 1,
    safeBlock: 1,
    finalizedBlock: 1,
    lagBlocks: 0,
    lagSeconds: 0,
    headAgeSeconds: 0,
    difference: null,
  },
  notifications: { oldestUndeliveredSeconds: null },
  solvers: [],
  hours: [],
}
const well: WorkerFetch = async () => Response.json(status)

const find = (base: WorkerFetch | undefined) =>
  findStatus(
    { workers: { mainnet: { status: well }, base: base ? { status: base } : {} }, version: '1', now: () => 0 },
    100,
  )

test('the status is ok when all networks are', async () => {
  const found = await find(well)
  expect(found).toEqual({
    ...{ state: 'ok', time: '1970-01-01T00:00:00.000Z', version: '1' },
    networks: { mainnet: status, base: status },
  })
  expect(statusSchema.parse(found)).toEqual(found)
})

test('a solver that cannot settle degrades the status', async () => {
  const counts = { solutions: 0, wins: 0, attempts: 0, successes: 0, failures: 0, missedAuctions: 0 }
  const solver = {
    name: 'direct',
    address: `0x${'01'.repeat(20)}`,
    lastSolutionAgeSeconds: null,
    suspension: null,
    ...counts,
  }
  const respondWith = (fault: string | null) => async () =>
    Response.json({ ...status, solvers: [{ ...solver, fault }] })
  expect((await find(respondWith(null))).state).toBe('ok')
  expect(await find(respondWith('funds: the account holds 0 wei'))).toMatchObject({
    state: 'degraded',
    networks: { base: { solvers: [{ fault: 'funds: the account holds 0 wei' }] } },
  })
})

const failures: [string, WorkerFetch | undefined][] = [
  ['has no such Worker', undefined],
  ['never responds', () => new Promise(() => undefined)],
  ['throws', () => Promise.reject(new Error('at secret'))],
  ['responds with 503', async () => Response.json({ errorType: 'ServiceUnavailable' }, { status: 503 })],
  ['responds with HTML', async () => new Response('<html>')],
]

test.each(failures)(
  'a network that %s is reported unavailable in time, without affecting others',
  async (_, worker) => {
    const found = await settlesBefore(1_000, find(worker))
    expect(found).toMatchObject({ state: 'degraded', networks: { mainnet: { state: 'ok' } } })
    expect(found.networks.base).toEqual({ state: 'unavailable' })
  },
)
