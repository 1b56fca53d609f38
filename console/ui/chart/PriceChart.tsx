import { useRef, useState } from 'preact/hooks'
import { buildLine, findNearest, type PricePoint } from './buildLine.ts'
import './priceChart.css'

type Props = {
  /** of the drawing for screen readers */
  label: string
  /** oldest first, at least two */
  points: readonly PricePoint[]
  formatPrice: (price: number) => string
  formatTime: (time: number) => string
  /** a horizontal line, such as the limit of an order */
  level?: { price: number; label: string } | undefined
}

/** A price over time as a line; the pointer shows the value of a time. */
export const PriceChart = ({ label, points, formatPrice, formatTime, level }: Props) => {
  const [at, setAt] = useState<number | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const { line, area, toPlace, levelAt, low, high } = buildLine(points, level?.price)
  const shown = at === null ? undefined : points[at]
  const place = shown && toPlace(shown)
  return (
    <div
      ref={box}
      class="price-chart"
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
            {formatPrice(shown.price)} · {formatTime(shown.time)}
          </span>
        </>
      )}
    </div>
  )
}
