import type { PlotData } from './plotSeries.ts'

/**
 * A plot in words, one sentence per series.
 * @param kind `count`: values are summed; `level`: each time has a value
 */
export const summarizePlot = (data: PlotData, kind: 'count' | 'level'): string =>
  data.series.map((series) => `${series.label}: ${describe(data, series.values, kind)}.`).join(' ')

const describe = (
  { times, formatTime, formatValue }: PlotData,
  values: readonly (number | null)[],
  kind: 'count' | 'level',
): string => {
  const known = values.flatMap((value, i) => (value === null ? [] : [{ value, time: times[i] ?? 0 }]))
  const last = known.at(-1)
  const sum = known.reduce((total, { value }) => total + value, 0)
  if (!last || (kind === 'count' && sum === 0)) return 'none'
  const most = known.reduce((best, each) => (each.value > best.value ? each : best))
  const highest = `at most ${formatValue(most.value)} at ${formatTime(most.time)}`
  if (kind === 'count') return `${formatValue(sum)} in all, ${highest}`
  const newest = `${formatValue(last.value)} at ${formatTime(last.time)}`
  return most.value === last.value ? `${newest}, never more` : `${newest}, ${highest}`
}
