import { formatDayAndClock } from '../../../ui/formatClock.ts'
import type { View } from '../view.ts'
import type { Lane } from './buildLanes.ts'
import { clusterMarks, type Placed } from './clusterMarks.ts'
import { toPercent } from './toPercent.ts'

/** Pixels. */
const laneHeight = 26
const middle = laneHeight / 2

/** The marks of a lane between two times, over the lines of the axis. */
export const LaneRow = ({ lane: { name, noun, marks }, view, lines }: { lane: Lane; view: View; lines: string[] }) => (
  <div class="lane">
    <span class="lane-name">{name}</span>
    <svg aria-hidden="true" class="lane-track" width="100%" height={laneHeight}>
      {lines.map((at) => (
        <line key={at} class="tick" x1={at} x2={at} y1="0" y2={laneHeight} />
      ))}
      {clusterMarks(marks, view, noun).map((mark) => (
        <MarkShape key={`${mark.from} ${mark.to} ${mark.label}`} mark={mark} />
      ))}
    </svg>
  </div>
)

/** Shapes repeat the meaning of colours: a triangle warns, a cross is bad, a diamond good. */
const shapes: Record<Placed['tone'], string> = {
  plain: 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  info: 'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z',
  good: 'M0 -7L7 0L0 7L-7 0z',
  warn: 'M0 -7L7 6L-7 6z',
  bad: 'M-6 -4L-4 -6L0 -2L4 -6L6 -4L2 0L6 4L4 6L0 2L-4 6L-6 4L-2 0z',
}

/** Share of the axis below which a bar is drawn as a point. */
const shortest = 0.008
/** Width of a digit in a cluster's count, and padding around it, pixels. */
const digitWidth = 7
const countRoom = 10

const MarkShape = ({ mark }: { mark: Placed }) => {
  const { start, end, tone, label, count, from } = mark
  const title = <title>{`${label}, ${formatDayAndClock(from)}`}</title>
  const isShort = end - start < shortest
  if (count > 1 && isShort) {
    const text = String(count)
    const width = text.length * digitWidth + countRoom
    return (
      <svg aria-hidden="true" x={toPercent(start)} y={middle} class={`mark ${tone}`}>
        {title}
        <rect x={-width / 2} y={-9} width={width} height={18} rx={9} />
        <text class="mark-count" y={4} text-anchor="middle">
          {text}
        </text>
      </svg>
    )
  }
  if (!isShort) {
    return (
      <rect
        class={`mark bar-mark ${tone}`}
        x={toPercent(start)}
        y={middle - 5}
        width={toPercent(end - start)}
        height={10}
        rx={3}
      >
        {title}
      </rect>
    )
  }
  return (
    <svg aria-hidden="true" x={toPercent(start)} y={middle} class={`mark ${tone}`}>
      {title}
      <path d={shapes[tone]} />
    </svg>
  )
}
