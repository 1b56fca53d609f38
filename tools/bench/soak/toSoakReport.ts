import type { Report } from '../figure.ts'
import { toTable, toText } from '../toTable.ts'
import { findTrends } from './findTrends.ts'
import { type MemoryUse, sumHeaps } from './readMemory.ts'
import type { SoakInterval } from './soakInterval.ts'

/** Warm-up of compilers and caches, not judged. */
const warmShare = 1 / 3
/** Minimum number of judged intervals for a trend. */
const minIntervals = 4

/** Verdict of a soak: every response 2xx or 304, and neither memory nor p99 rises after warm-up. */
export const toSoakReport = (title: string, intervals: readonly SoakInterval[]): Report => {
  const warm = intervals.slice(Math.floor(intervals.length * warmShare))
  const trends = warm.length < minIntervals ? [] : findTrends(warm)
  const failures = findFailures(intervals)
  return {
    table: [
      toTable(title, toSoakRows(intervals)),
      ...trends.map(
        ({ name, growth, allowed }) => `  ${name}: ${(growth * 100).toFixed(0)} % (${allowed * 100} % allowed)`,
      ),
      ...failures.map((failure) => `  ${failure}`),
    ].join('\n'),
    over: [
      ...failures,
      ...trends
        .filter(({ growth, allowed }) => growth > allowed)
        .map(({ name, growth }) => `${name}: ${(growth * 100).toFixed(0)} %`),
    ],
  }
}

/** Failed requests and refused streams, by kind. */
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

const mebibyte = 1024 * 1024

/** Resident memory, and after a collection the heaps and the rest. */
const describeMemory = (use: MemoryUse): string => {
  const parts = use.collected ? [use.resident, sumHeaps(use), use.collected.outside] : [use.resident]
  return parts.map((bytes) => (bytes / mebibyte).toFixed(0)).join('/')
}

/** Cells of the table: a heading, then a row for each interval. */
const toSoakRows = (intervals: readonly SoakInterval[]): string[][] => {
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
