/** Time ranges of the chart: intervals as the API serves them, of which `group` make a candle. */
export const timeRanges = {
  '1H': { interval: '5m', intervalMs: 300_000, count: 12, group: 1, label: 'last hour' },
  '1D': { interval: '5m', intervalMs: 300_000, count: 288, group: 6, label: 'last day' },
  '1W': { interval: '1h', intervalMs: 3_600_000, count: 168, group: 4, label: 'last week' },
  '1M': { interval: '1d', intervalMs: 86_400_000, count: 30, group: 1, label: 'last month' },
} as const

export type TimeRange = keyof typeof timeRanges

export const defaultTimeRange: TimeRange = '1D'

/** @param name of the URL, untrusted */
export const readTimeRange = (name: string | undefined): TimeRange =>
  Object.keys(timeRanges).find((range): range is TimeRange => range === name) ?? defaultTimeRange
