import type { Report } from '../figure.ts'
import { toTable, toText } from '../toTable.ts'
import type { Path } from './paths.ts'

/** One run of load on a path or a floor. */
export type Run = { requestsPerSecond: number; p50: number; p99: number; cpuMs: number }

/** Results of path and floor in turns, and the upstream calls of one request. */
export type PathMeasurement = {
  path: Pick<Path, 'name' | 'floor' | 'budget'>
  runs: { path: Run; floor: Run }[]
  databaseRoundTrips: number
  rpcCalls: number
  /** one request on an idle system: total milliseconds, and those spent waiting for solvers */
  aloneMs: number
  solverMs: number
}

export type PathFigures = ReturnType<typeof toPathFigures>

/** Medians of the runs; ratios are those of neighbouring runs, so that load of the machine affects both. */
export const toPathFigures = (measurement: PathMeasurement) => {
  const { path, runs, aloneMs, solverMs } = measurement
  const medianOf = (pick: (run: (typeof runs)[number]) => number) => median(runs.map(pick))
  const figures = {
    requestsPerSecond: medianOf((run) => run.path.requestsPerSecond),
    floorRequestsPerSecond: medianOf((run) => run.floor.requestsPerSecond),
    throughput: medianOf((run) => run.path.requestsPerSecond / run.floor.requestsPerSecond),
    p50: medianOf((run) => run.path.p50),
    p99: medianOf((run) => run.path.p99),
    cpuMs: medianOf((run) => run.path.cpuMs),
    floorCpuMs: medianOf((run) => run.floor.cpuMs),
    ownCpuMs: medianOf((run) => run.path.cpuMs - run.floor.cpuMs),
    own: medianOf((run) => run.path.cpuMs / run.floor.cpuMs - 1),
    databaseRoundTrips: measurement.databaseRoundTrips,
    rpcCalls: measurement.rpcCalls,
  }
  return { name: path.name, floor: path.floor, ...figures, aloneMs, solverMs, over: findOver(path.budget, figures) }
}

/** Median; the mean of the middle two for an even count. */
const median = (values: readonly number[]): number => {
  if (values.length === 0) throw new RangeError('the median needs at least one value')
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}

const findOver = (
  budget: Path['budget'],
  figures: Record<'databaseRoundTrips' | 'rpcCalls' | 'own' | 'throughput', number>,
): string[] => {
  const { databaseRoundTrips, rpcCalls = Infinity, own = Infinity, throughput = 0 } = budget
  return [
    // background tasks may query now and then, requests may not
    ...(figures.databaseRoundTrips > databaseRoundTrips + 0.05
      ? [`${toText(figures.databaseRoundTrips)} database round trips, ${databaseRoundTrips} allowed`]
      : []),
    ...(figures.rpcCalls > rpcCalls ? [`${figures.rpcCalls} RPC calls, ${rpcCalls} allowed`] : []),
    ...(figures.own > own ? [`${toText(figures.own)} times the floor's CPU above it, ${own} allowed`] : []),
    ...(figures.throughput < throughput
      ? [`${toText(figures.throughput)} of the floor's requests a second, at least ${throughput} wanted`]
      : []),
  ]
}

const header = [
  'path',
  'db',
  'rpc',
  'req/s',
  'floor',
  'ratio',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'floor',
  'own',
  'of floor',
  'alone ms',
  'solvers',
  'verdict',
]

export const toPathReport = (figures: readonly PathFigures[]): Report => ({
  table: toTable('paths', [
    header,
    ...figures.map((row) => [
      row.name,
      toText(row.databaseRoundTrips),
      toText(row.rpcCalls),
      toText(Math.round(row.requestsPerSecond)),
      `${toText(Math.round(row.floorRequestsPerSecond))} ${row.floor}`,
      row.throughput.toFixed(2),
      toText(row.p50),
      toText(row.p99),
      row.cpuMs.toFixed(2),
      row.floorCpuMs.toFixed(2),
      row.ownCpuMs.toFixed(2),
      row.own.toFixed(1),
      row.aloneMs.toFixed(1),
      row.solverMs > 0 ? row.solverMs.toFixed(1) : '',
      row.over.length === 0 ? 'ok' : `OVER: ${row.over.join('; ')}`,
    ]),
  ]),
  over: figures.flatMap(({ name, over }) => over.map((what) => `${name}: ${what}`)),
})
