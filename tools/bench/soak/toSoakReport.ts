import type { Report } from '../figure.ts'
import { toTable } from '../toTable.ts'
import { findFailures } from './findFailures.ts'
import { findTrends } from './findTrends.ts'
import type { SoakInterval } from './soakInterval.ts'
import { toSoakRows } from './toSoakRows.ts'

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
    title,
    table: [
      toTable(title, toSoakRows(intervals)),
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
