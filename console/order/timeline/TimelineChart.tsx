import { formatClock, formatDayAndClock } from '../../ui/formatClock.ts'
import { formatDuration } from '../../ui/formatDuration.ts'
import type { Timeline } from './buildTimeline.ts'
import { LaneRow } from './lanes/LaneRow.tsx'
import { toPercent } from './lanes/toPercent.ts'
import { buildTicks } from './times/buildTicks.ts'
import { isSameDay } from './times/isSameDay.ts'
import type { View } from './view.ts'

type Props = { timeline: Timeline; view: View }

/** On the axis; narrow screens show every second label. */
const mostTicks = 8
/** Labels nearer than this share to an end of the axis would overflow: only their line is drawn. */
const edge = 0.05

/** Lanes of a timeline between two times; the list beside it has the same content as text. */
export const TimelineChart = ({ timeline, view }: Props) => {
  const { from, to } = view
  const ticks = buildTicks(from, to, mostTicks).map(({ time, label }) => {
    const share = (time - from) / (to - from)
    return {
      label: share < edge || share > 1 - edge ? '' : label,
      at: toPercent(share),
    }
  })
  const end = isSameDay(from, to) ? formatClock(to) : formatDayAndClock(to)
  return (
    <figure class="timeline-chart">
      <div aria-hidden="true">
        {timeline.lanes
          .filter(({ marks }) => marks.length > 0)
          .map((lane) => (
            <LaneRow key={lane.name} lane={lane} view={view} lines={ticks.map(({ at }) => at)} />
          ))}
        <div class="lane axis">
          <span class="axis-gap" />
          <svg aria-hidden="true" class="axis-track" width="100%" height="20">
            {ticks.map(({ at, label }, place) => (
              <text key={at} x={at} y="14" text-anchor="middle" class={place % 2 === 1 ? 'second' : undefined}>
                {label}
              </text>
            ))}
          </svg>
        </div>
      </div>
      <figcaption class="fine">
        {formatDayAndClock(from)} to {end}, {formatDuration(to - from)}
      </figcaption>
    </figure>
  )
}
