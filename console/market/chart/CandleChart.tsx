import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { formatChange } from '../../ui/formatChange.ts'
import { formatMarketPrice, formatSize } from '../market.ts'
import type { Bar, Candle } from './buildCandles.ts'
import { buildScale } from './buildScale.ts'
import { buildTimeAxis } from './buildTimeAxis.ts'
import './candleChart.css'

/** A price that is drawn as a line with a label. */
export type Level = {
  key: string
  side: 'buys' | 'sells'
  price: number
  label: string
  /** after the label, for example a button */
  action?: ComponentChildren
  /** the line is dragged, or moved by arrow keys */
  onMove?: (price: number) => void
}

/** A fill of the account. */
export type Dot = { time: number; price: number; side: 'buys' | 'sells' }

type Props = {
  /** of the drawing for screen readers */
  label: string
  candles: readonly Candle[]
  bars: readonly Bar[]
  /** of a candle, milliseconds */
  spanMs: number
  /** shown time, Unix milliseconds */
  from: number
  to: number
  levels: readonly Level[]
  dots: readonly Dot[]
  /** whole base tokens of a volume */
  toVolume: (atoms: number) => number
  unit: string
}

/** Height of the volume, percent of the chart. */
const volumeShare = 16
/** Width of a candle, of its time. */
const bodyShare = 0.62

/** Candles with volume, axes and a crosshair; lines of orders and dots of fills over them. */
export const CandleChart = (props: Props) => {
  const { label, candles, bars, spanMs, from, to, levels, dots, toVolume, unit } = props
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<{ x: number; y: number } | null>(null)
  const scale = buildScale(
    candles,
    levels.map(({ price }) => price),
  )
  const toX = (time: number) => ((time - from) / (to - from)) * 100
  const { ticks, hasDates } = buildTimeAxis(from, to, -new Date(to).getTimezoneOffset() * minuteMs)
  const most = Math.max(...bars.map(({ volume }) => volume), 1)
  const last = candles.at(-1)
  const time = at === null ? 0 : from + (at.x / 100) * (to - from)
  const shown = at === null ? undefined : candles.find((candle) => time >= candle.time && time < candle.time + spanMs)
  const toPlace = (event: { clientX: number; clientY: number }) => {
    const { left = 0, top = 0, width = 1, height = 1 } = box.current?.getBoundingClientRect() ?? {}
    const clamp = (share: number) => Math.min(Math.max(share * 100, 0), 100)
    return { x: clamp((event.clientX - left) / width), y: clamp((event.clientY - top) / height) }
  }
  const [low, high] = [Math.min(...candles.map((c) => c.low)), Math.max(...candles.map((c) => c.high))]
  return (
    <div class="candle-chart">
      <div
        ref={box}
        class="candle-plot"
        onPointerMove={(event) => setAt(toPlace(event))}
        onPointerLeave={() => setAt(null)}
      >
        <svg
          role="img"
          aria-label={`${label}: from ${formatMarketPrice(candles[0]?.open ?? 0)} to ${formatMarketPrice(last?.close ?? 0)}, between ${formatMarketPrice(low)} and ${formatMarketPrice(high)}`}
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
        >
          {scale.ticks.map((tick) => (
            <line key={tick} class="candle-grid" x1="0" x2="100" y1={scale.toY(tick)} y2={scale.toY(tick)} />
          ))}
          {bars.map(({ time: start, volume }) => {
            const height = (volume / most) * volumeShare
            const { x, width } = toBody(toX(start), toX(start + spanMs))
            return <rect key={start} class="candle-volume" x={x} width={width} y={100 - height} height={height} />
          })}
          {candles.map((candle) => {
            const { x, width } = toBody(toX(candle.time), toX(candle.time + spanMs))
            const top = scale.toY(Math.max(candle.open, candle.close))
            const bottom = scale.toY(Math.min(candle.open, candle.close))
            return (
              <g key={candle.time} class={candle.close < candle.open ? 'candle down' : 'candle up'}>
                <line x1={x + width / 2} x2={x + width / 2} y1={scale.toY(candle.high)} y2={scale.toY(candle.low)} />
                <rect x={x} width={width} y={top} height={Math.max(bottom - top, 0.6)} />
              </g>
            )
          })}
          {at && <line class="candle-cross" x1={at.x} x2={at.x} y1="0" y2="100" />}
          {at && <line class="candle-cross" x1="0" x2="100" y1={at.y} y2={at.y} />}
        </svg>
        {dots.map(({ time: filled, price, side }) => (
          <span
            key={`${filled} ${price}`}
            class={`candle-dot ${side}`}
            style={{ insetInlineStart: `${toX(filled)}%`, insetBlockStart: `${scale.toY(price)}%` }}
          />
        ))}
        {levels.map((level) => (
          <LevelLine
            key={level.key}
            level={level}
            y={scale.toY(level.price)}
            toPrice={(y) => scale.toPrice(y)}
            toPlace={toPlace}
          />
        ))}
        {shown && (
          <span class="candle-readout number">
            {(hasDates ? dateAndClock : clock).format(shown.time)} · O {formatMarketPrice(shown.open)} · H{' '}
            {formatMarketPrice(shown.high)} · L {formatMarketPrice(shown.low)} · C {formatMarketPrice(shown.close)} ·{' '}
            {formatChange(shown.close / shown.open - 1)} · {formatSize(toVolume(shown.volume))} {unit}
          </span>
        )}
      </div>
      <div class="candle-prices number" aria-hidden="true">
        {scale.ticks.map((tick) => (
          <span key={tick} style={{ insetBlockStart: `${scale.toY(tick)}%` }}>
            {formatMarketPrice(tick)}
          </span>
        ))}
        {last && (
          <span class="candle-last" style={{ insetBlockStart: `${scale.toY(last.close)}%` }}>
            {formatMarketPrice(last.close)}
          </span>
        )}
        {at && (
          <span class="candle-at" style={{ insetBlockStart: `${at.y}%` }}>
            {formatMarketPrice(scale.toPrice(at.y))}
          </span>
        )}
      </div>
      <div class="candle-times number" aria-hidden="true">
        {ticks.map(({ time: tick, x }) => (
          <span key={tick} style={{ insetInlineStart: `${x}%` }}>
            {(hasDates ? date : clock).format(tick)}
          </span>
        ))}
      </div>
    </div>
  )
}

const toBody = (start: number, end: number): { x: number; width: number } => ({
  x: start + ((end - start) * (1 - bodyShare)) / 2,
  width: (end - start) * bodyShare,
})

type LineProps = {
  level: Level
  y: number
  toPrice: (y: number) => number
  toPlace: (event: PointerEvent) => { y: number }
}

/** Share of the price that an arrow key moves a line by. */
const keyStep = 0.001

const LevelLine = ({ level: { side, price, label, action, onMove }, y, toPrice, toPlace }: LineProps) => (
  <div class={`candle-level ${side}`} style={{ insetBlockStart: `${y}%` }}>
    <span class="candle-level-label">
      {onMove ? (
        <span
          class="candle-handle"
          role="slider"
          tabIndex={0}
          aria-label="Limit price"
          aria-valuenow={price}
          aria-valuetext={label}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={(event) => {
            if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(toPrice(toPlace(event).y))
          }}
          onKeyDown={(event) => {
            const sign = { ArrowUp: 1, ArrowDown: -1 }[event.key]
            if (sign === undefined) return
            event.preventDefault()
            onMove(price * (1 + sign * keyStep))
          }}
        >
          ⇕ {label}
        </span>
      ) : (
        <span>{label}</span>
      )}
      {action}
    </span>
  </div>
)

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
