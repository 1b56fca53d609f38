import { toText } from '../toTable.ts'
import { type MemoryUse, sumHeaps } from './readMemory.ts'
import type { SoakInterval } from './soakInterval.ts'

const mebibyte = 1024 * 1024

/** Resident memory, and after a collection the heaps and the rest. */
const describeMemory = (use: MemoryUse): string => {
  const parts = use.collected ? [use.resident, sumHeaps(use), use.collected.outside] : [use.resident]
  return parts.map((bytes) => (bytes / mebibyte).toFixed(0)).join('/')
}

/** Cells of the table: a heading, then a row for each interval. */
export const toSoakRows = (intervals: readonly SoakInterval[]): string[][] => {
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
