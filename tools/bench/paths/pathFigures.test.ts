import { expect, test } from 'vitest'
import { type PathMeasurement, toPathFigures, toPathReport } from './pathFigures.ts'

const run = (requestsPerSecond: number, cpuMs: number) => ({ requestsPerSecond, cpuMs, p50: 1, p99: 5 })
const measurement: PathMeasurement = {
  path: { name: 'GET price', floor: 'hono', budget: { databaseRoundTrips: 0, rpcCalls: 0, throughput: 0.8, own: 6 } },
  // the machine was half as fast in the second turn
  runs: [
    { path: run(900, 0.3), floor: run(1_000, 0.1) },
    { path: run(450, 0.6), floor: run(500, 0.2) },
    { path: run(850, 0.3), floor: run(1_000, 0.1) },
  ],
  databaseRoundTrips: 0,
  rpcCalls: 0,
  aloneMs: 2,
  solverMs: 0,
}

test('compares neighbouring turns, so that a slow phase of the machine cancels out', () => {
  const figures = toPathFigures(measurement)
  expect(figures).toMatchObject({ requestsPerSecond: 850, throughput: 0.9, over: [] })
  expect(figures.ownCpuMs).toBeCloseTo(0.2)
  expect(figures.own).toBeCloseTo(2)
})

test('reports each missed budget with its numbers', () => {
  const runs = [{ path: run(500, 0.8), floor: run(1_000, 0.1) }]
  const figures = toPathFigures({ ...measurement, runs, databaseRoundTrips: 1, rpcCalls: 2 })
  expect(figures.over).toEqual([
    '1 database round trips, 0 allowed',
    '2 RPC calls, 0 allowed',
    "7 times the floor's CPU above it, 6 allowed",
    "0.5 of the floor's requests a second, at least 0.8 wanted",
  ])
  const report = toPathReport([figures])
  expect(report.over).toHaveLength(4)
  expect(report.table).toContain('OVER: 1 database round trips')
})
