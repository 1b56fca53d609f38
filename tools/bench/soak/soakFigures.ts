import type { Report } from '../figure.ts'
import type { LoadResult } from '../load/startLoadGenerator.ts'
import { toTable, toText } from '../toTable.ts'
import { computeGrowth } from './fitLine.ts'
import type { MemoryUse } from './readMemory.ts'

/** Results of one interval of the soak. */
export type SoakInterval = {
  /** end of the interval, seconds since the start */
  at: number
  kinds: Record<string, LoadResult>
  streams: { open: number; events: number; ended: number; refused: number }
  /** by process */
  memory: Record<string, MemoryUse>
}

/** Allowed growth of live memory over the judged part. */
const maxMemoryGrowth = 0.05
/** Allowed growth of resident memory: collectors and allocators let it swing. */
const maxResidentGrowth = 0.2
/** The local chain keeps every block and state; it stands for an external node and is not judged. */
const growing = ['anvil']
const maxLatencyGrowth = 0.5
/** Below this a p99 that doubles is noise. */
const smallLatencyMs = 50
/** Warm-up of compilers and caches, not judged. */
const warmShare = 1 / 3
/** Minimum number of judged intervals for a trend. */
const minIntervals = 4

const mebibyte = 1024 * 1024

/** Verdict of a soak: every response 2xx or 304, and neither memory nor p99 rises after warm-up. */
export const toSoakReport = (title: string, intervals: readonly SoakInterval[]): Report => {
  const warm = intervals.slice(Math.floor(intervals.length * warmShare))
  const trends = warm.length < minIntervals ? [] : findTrends(warm)
  const failures = findFailures(intervals)
  return {
    title,
    table: [
      toTable(title, toRows(intervals)),
      ...trends.map(
        ({ name, growth, allowed }) => `  ${name}: ${(growth * 100).toFixed(0)} % (${allowed * 100} % allowed)`,
      ),
      ...failures.map((failure) => `  ${failure}`),
    ].join('\n'),
    figures: { intervals, trends, failures },
    over: [
      ...failures,
      ...trends
        .filter(({ growth, allowed }) => growth > allowed)
        .map(({ name, growth }) => `${name}: ${(growth * 100).toFixed(0)} %`),
    ],
  }
}

const findFailures = (intervals: readonly SoakInterval[]): string[] => {
  const statuses = new Map<string, number>()
  for (const { kinds, streams } of intervals) {
    for (const [kind, { statuses: found, errors }] of Object.entries(kinds)) {
      for (const [status, count] of Object.entries({ ...found, 'no answer': errors })) {
        if (!/^(2..|304)$/.test(status) && count > 0) add(statuses, `${kind}: ${status}`, count)
      }
    }
    if (streams.refused > 0) add(statuses, 'streams: refused', streams.refused)
  }
  return [...statuses].map(([what, count]) => `${what}, ${count} times`)
}

const add = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

const findTrends = (warm: readonly SoakInterval[]) => {
  const processes = Object.keys(warm[0]?.memory ?? {}).filter((name) => !growing.includes(name))
  const kinds = Object.keys(warm[0]?.kinds ?? {})
  return [
    ...processes.flatMap((name) => findMemoryTrends(name, warm)),
    ...kinds.map((name) => ({
      name: `p99 of ${name}`,
      growth: computeGrowth(
        warm.map(({ at, kinds: { [name]: result } }) => [at, Math.max(result?.p99 ?? 0, smallLatencyMs)]),
      ),
      allowed: maxLatencyGrowth,
    })),
  ]
}

const findMemoryTrends = (name: string, warm: readonly SoakInterval[]) => {
  const growthOf = (read: (use: MemoryUse) => number) =>
    computeGrowth(warm.map(({ at, memory: { [name]: use } }) => [at, use ? read(use) : 0]))
  const resident = { name: `memory of ${name}`, growth: growthOf((use) => use.resident), allowed: maxResidentGrowth }
  if (!warm[0]?.memory[name]?.collected) return [resident]
  return [
    resident,
    { name: `heaps of ${name}`, growth: growthOf(sumHeaps), allowed: maxMemoryGrowth },
    {
      name: `memory outside the heaps of ${name}`,
      growth: growthOf(({ collected }) => collected?.outside ?? 0),
      allowed: maxMemoryGrowth,
    },
  ]
}

const sumHeaps = ({ collected }: MemoryUse): number =>
  Object.values(collected?.heaps ?? {}).reduce((sum, live) => sum + live, 0)

/** Resident memory, and after a collection the heaps and the rest. */
const describeMemory = (use: MemoryUse): string => {
  const parts = use.collected ? [use.resident, sumHeaps(use), use.collected.outside] : [use.resident]
  return parts.map((bytes) => (bytes / mebibyte).toFixed(0)).join('/')
}

const toRows = (intervals: readonly SoakInterval[]): string[][] => {
  const [first] = intervals
  const kinds = Object.keys(first?.kinds ?? {})
  const uses = Object.entries(first?.memory ?? {})
  return [
    [
      's',
      'req/s',
      ...kinds.map((kind) => `${kind} p50/p99 ms`),
      'events',
      ...uses.map(([name, { collected }]) => `${name} MiB${collected ? ', heaps/outside' : ''}`),
    ],
    ...intervals.map(({ at, kinds: results, streams, memory }) => [
      toText(Math.round(at)),
      toText(Math.round(Object.values(results).reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0))),
      ...kinds.map((kind) => `${toText(results[kind]?.p50 ?? 0)}/${toText(results[kind]?.p99 ?? 0)}`),
      toText(streams.events),
      ...uses.map(([name, use]) => describeMemory(memory[name] ?? use)),
    ]),
  ]
}
