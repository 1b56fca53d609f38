import type { SoakInterval } from './soakInterval.ts'

/** Failed requests and refused streams, by kind. */
export const findFailures = (intervals: readonly SoakInterval[]): string[] => {
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
