import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { buildLine } from './buildLine.ts'
import { buildTimeAxis } from './buildTimeAxis.ts'
import { findNearest } from './findNearest.ts'
import type { PricePoint } from './splitAtGaps.ts'
import './priceChart.css'

type Level = { price: number; label: string }

type Props = {
  /** of the drawing for screen readers */
  label: string
  /** oldest first */
  points: readonly PricePoint[]
  /** shown with less than two points */
  children: ComponentChildren
  formatPrice: (price: number) => string
  /** points further apart than this, in milliseconds, are not joined */
  gapMs?: number
  /** a horizontal line, such as the limit of an order */
  level?: Level | undefined
}

/** A price over time as a line with local times; the pointer shows the value of a time. Of one height in each state. */
export const PriceChart = ({ points, children, ...rest }: Props) => (
  <div class="price-chart">
    {points.length > 1 ? <Drawing points={points} {...rest} /> : <p class="price-plot price-empty muted">{children}</p>}
  </div>
)

type DrawingProps = Omit<Props, 'children'>

const Drawing = ({ label, points, formatPrice, gapMs, level }: DrawingProps) => {
  const [at, setAt] = useState<number | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const { line, area, toPlace, levelAt, low, high } = buildLine(points, { level: level?.price, gapMs })
  const [from, to] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0]
  const { ticks, hasDates } = buildTimeAxis(from, to, -new Date(to).getTimezoneOffset() * minuteMs)
  const shown = at === null ? undefined : points[at]
  const place = shown && toPlace(shown)
  return (
    <>
      <div
        ref={box}
        class="price-plot"
        role="img"
        aria-label={`${label}: from ${formatPrice(points[0]?.price ?? 0)} to ${formatPrice(points.at(-1)?.price ?? 0)}, between ${formatPrice(low)} and ${formatPrice(high)}`}
        onPointerMove={({ clientX }) => {
          const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {}
          setAt(findNearest(points, (clientX - left) / width))
        }}
        onPointerLeave={() => setAt(null)}
      >
        <svg aria-hidden="true" viewBox="0 0 100 100" preserveAspectRatio="none">
          <path class="price-area" d={area} />
          <path class="price-line" d={line} />
          {levelAt !== undefined && <line class="price-level" x1="0" x2="100" y1={levelAt} y2={levelAt} />}
        </svg>
        {level && levelAt !== undefined && (
          <span class="price-level-label" style={{ insetBlockStart: `${levelAt}%` }}>
            {level.label}
          </span>
        )}
        {shown && place && (
          <>
            <span class="price-cursor" style={{ insetInlineStart: `${place.x}%`, insetBlockStart: `${place.y}%` }} />
            <span class="price-readout number">
              {formatPrice(shown.price)} · {(hasDates ? dateAndClock : clock).format(shown.time)}
            </span>
          </>
        )}
      </div>
      <div class="price-axis number" aria-hidden="true">
        {ticks.map(({ time, x }) => (
          <span key={time} style={{ insetInlineStart: `${x}%` }}>
            {(hasDates ? date : clock).format(time)}
          </span>
        ))}
      </div>
    </>
  )
}

const minuteMs = 60_000
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle: 'h23' })
const date = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const dateAndClock = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
