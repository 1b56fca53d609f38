import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { useOnChange } from '../../ui/useOnChange.ts'
import { createPlot, toColumns } from './createPlot.ts'
import { PlotTable } from './PlotTable.tsx'
import { type PlotColours, plotHeight } from './plotLook.ts'
import type { PlotData } from './plotSeries.ts'
import { summarizePlot } from './summarizePlot.ts'
import { useTheme } from './useTheme.ts'

type Props = {
  title: string
  data: PlotData
  style: 'bars' | 'line'
  kind: 'count' | 'level'
  /** threshold, as a number and in words */
  limit?: { value: number; text: string } | undefined
  /** text of an empty plot */
  nothing: string
}

/** Figures over time as a plot, a sentence and a table. The legend follows the pointer. */
export const Plot = ({ title, data, style, kind, limit, nothing }: Props) => {
  const titleId = useId()
  const figure = useRef<HTMLElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const [index, setIndex] = useState<number | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  useDrawing({ figure, canvas, data, style, limit: limit?.value ?? null, onPoint: setIndex })
  const isEmpty = data.series.every(({ values }) =>
    values.every((value) => value === null || (kind === 'count' && value === 0)),
  )
  const pointedAt = index === null ? undefined : data.times[index]
  return (
    <figure class={`plot panel ${style}`} ref={figure} aria-labelledby={titleId}>
      <figcaption>
        <h4 id={titleId}>{title}</h4>
        <p class="fine">{isEmpty ? nothing : summarizePlot(data, kind)}</p>
      </figcaption>
      <ul class="legend" aria-hidden="true">
        {data.series.map(({ label, values }, i) => {
          const value = index === null ? null : (values[index] ?? null)
          return (
            <li key={label}>
              <span class={`swatch series-${i}`} /> {label}
              {pointedAt !== undefined && ` ${value === null ? '–' : data.formatValue(value)}`}
            </li>
          )
        })}
        {limit && (
          <li>
            <span class="swatch limit" /> {limit.text}
          </li>
        )}
        {pointedAt !== undefined && <li class="time">{data.formatTime(pointedAt)}</li>}
      </ul>
      <div class="canvas" aria-hidden="true" ref={canvas} />
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{title} as a table</summary>
        {isOpen && <PlotTable title={title} data={data} />}
      </details>
    </figure>
  )
}

type Drawing = {
  figure: { current: HTMLElement | null }
  canvas: { current: HTMLDivElement | null }
  data: PlotData
  style: 'bars' | 'line'
  limit: number | null
  onPoint: (index: number | null) => void
}

/** Updates the plot when data, width or colours change. */
const useDrawing = ({ figure, canvas, data, style, limit, onPoint }: Drawing): void => {
  const plot = useRef<uPlot>(undefined)
  const theme = useTheme()
  const labels = data.series.map(({ label }) => label).join()

  // new values are set below, `theme` stands for the colours
  useOnChange(() => {
    const [element, colours] = [canvas.current, figure.current && readColours(figure.current)]
    if (!element || !colours) return
    const drawn = createPlot(element, data, { style, colours, limit, onPoint })
    plot.current = drawn
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: plotHeight }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      drawn.destroy()
      plot.current = undefined
    }
  }, [theme, style, limit, labels])

  useEffect(() => plot.current?.setData(toColumns(data, style)), [data, style])
}

/** A canvas cannot read custom properties: computed colours are read from elements that use them. */
const readColours = (figure: HTMLElement): PlotColours => {
  const colourOf = (selector: string): string => {
    const element = figure.querySelector(selector)
    return element ? getComputedStyle(element).color : ''
  }
  const { fontFamily } = getComputedStyle(figure)
  const series = [...figure.querySelectorAll('.swatch:not(.limit)')].map((swatch) => getComputedStyle(swatch).color)
  const canvas = figure.querySelector('.canvas')
  return {
    text: colourOf('.canvas'),
    line: canvas ? getComputedStyle(canvas).borderTopColor : '',
    limit: colourOf('.swatch.limit'),
    series,
    font: fontFamily,
  }
}
