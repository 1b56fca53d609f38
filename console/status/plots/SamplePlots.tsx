import { useMemo } from 'preact/hooks'
import { type AlarmContext, alarmRules, limits, toLagBlocks } from '../../../shared/alarms/alarmRules.ts'
import { formatCount, formatSpan } from '../../../shared/alarms/formatFigure.ts'
import type { Sample } from '../history/statusHistory.ts'
import { Plot } from './Plot.tsx'
import type { PlotData } from './plotSeries.ts'
import { countSteps, spanSteps } from './valueAxis.ts'

const clock = new Intl.DateTimeFormat('en', {
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
})
const formatTime = (time: number): string => clock.format(time * 1_000)

type Props = { samples: readonly Sample[]; context: AlarmContext }

/** Samples taken while the page is open. */
export const SamplePlots = ({ samples, context }: Props) => {
  const lagLimit = { value: toLagBlocks(context), text: `limit ${alarmRules.lagBlocks.toLimit(context)}` }
  const { ages, lags } = useMemo(() => {
    const times = samples.map(({ time }) => time)
    const toSeries = (label: string, of: (sample: Sample) => number | null) => [{ label, values: samples.map(of) }]
    const ages: PlotData = {
      ...{ times, formatTime, formatValue: formatSpan, steps: spanSteps },
      series: toSeries('Age of the newest auction', ({ auctionAgeSeconds }) => auctionAgeSeconds),
    }
    const lags: PlotData = {
      ...{ times, formatTime, formatValue: formatCount, steps: countSteps },
      series: toSeries('Blocks behind the head', ({ lagBlocks }) => lagBlocks),
    }
    return { ages, lags }
  }, [samples])
  return (
    <>
      <Plot
        title="Auction age, with open orders"
        data={ages}
        style="line"
        kind="level"
        limit={ageLimit}
        nothing="No auction is cut while no order is open."
      />
      <Plot title="Indexer lag" data={lags} style="line" kind="level" limit={lagLimit} nothing="Not known." />
    </>
  )
}

const ageLimit = { value: limits.auctionAgeSeconds, text: `limit ${alarmRules.auctionAge.toLimit()}` }
