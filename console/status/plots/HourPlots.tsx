import { useMemo } from 'preact/hooks'
import { formatCount, formatMs } from '../../../shared/alarms/formatFigure.ts'
import type { NetworkStatus } from '../alarms/networkStatus.ts'
import { Plot } from './Plot.tsx'
import type { PlotData } from './plotSeries.ts'
import { countSteps } from './valueAxis.ts'

type Hour = NetworkStatus['hours'][number]

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const formatTime = (time: number): string => clock.format(time * 1_000)

/** Hourly activity. */
export const HourPlots = ({ hours }: { hours: NetworkStatus['hours'] }) => {
  // Loaded every few seconds but changing once a minute.
  const key = JSON.stringify(hours)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the hours
  const { requests, latencies, fills } = useMemo(() => {
    const times = hours.map(({ hour }) => Date.parse(hour) / 1_000)
    const over = (
      formatValue: (value: number) => string,
      pick: Record<string, (hour: Hour) => number | null>,
    ): PlotData => ({
      ...{ times, formatTime, formatValue, steps: countSteps },
      series: Object.entries(pick).map(([label, of]) => ({ label, values: hours.map(of) })),
    })
    return {
      requests: over(formatCount, { Quotes: (hour) => hour.quotes, Submissions: (hour) => hour.submissions }),
      latencies: over(formatMs, { Quotes: (hour) => hour.quoteP95Ms, Submissions: (hour) => hour.submissionP95Ms }),
      fills: over(formatCount, { Fills: (hour) => hour.fills }),
    }
  }, [key])
  return (
    <>
      <Plot title="Quotes and submissions each hour" data={requests} style="bars" kind="count" nothing="None." />
      <Plot title="p95 latency" data={latencies} style="bars" kind="level" nothing="No requests." />
      <Plot title="Fills each hour" data={fills} style="bars" kind="count" nothing="None." />
    </>
  )
}
