import uPlot from 'uplot'
import type { PlotData } from './plotSeries.ts'
import { buildSplits, findTop } from './valueAxis.ts'

/** CSS colours of the current theme. */
export type PlotColours = { text: string; line: string; limit: string; series: string[]; font: string }

export type PlotLook = {
  /** `bars` stand side by side at their time */
  style: 'bars' | 'line'
  colours: PlotColours
  /** threshold line, always visible */
  limit: number | null
  /** receives the index under the pointer; null outside */
  onPoint: (index: number | null) => void
}

export const plotHeight = 180
const fontSize = 12
/** Width of the widest digit at that size, in pixels. */
const digitWidth = 7

/** Draws a plot into an element at its full width. The caller destroys it. */
export const createPlot = (element: HTMLElement, data: PlotData, look: PlotLook): uPlot =>
  new uPlot(buildOptions(element.clientWidth, data, look), toColumns(data, look.style), element)

/** The data for the plot; an empty bar is omitted, so that no line is drawn on the axis. */
export const toColumns = ({ times, series }: PlotData, style: PlotLook['style']): uPlot.AlignedData => {
  const toDrawn = (value: number | null) => (style === 'bars' && value === 0 ? null : value)
  return [[...times], ...series.map(({ values }) => values.map(toDrawn))] as uPlot.AlignedData
}

const buildOptions = (width: number, data: PlotData, look: PlotLook): uPlot.Options => ({
  width,
  height: plotHeight,
  legend: { show: false },
  cursor: { y: false, drag: { x: false, y: false }, points: { show: look.style === 'line' } },
  scales: {
    x: { range: ({ data: [times] }) => findTimeRange(times, look.style) },
    y: { range: (_, __, max) => [0, findTop(Math.max(max ?? 0, look.limit ?? 0), data.steps)] },
  },
  axes: buildAxes(data, look),
  series: [{}, ...data.series.map((_, index) => buildSeries(index, data.series.length, look))],
  hooks: {
    setCursor: [({ cursor }) => look.onPoint(cursor.idx ?? null)],
    draw: [(plot) => drawLimit(plot, look)],
  },
})

/** Half an hour of padding around bars, which are centred on their time; at least a minute for lines. */
const findTimeRange = (times: ArrayLike<number>, style: PlotLook['style']): [number, number] => {
  const [first, last] = [times[0] ?? 0, times[times.length - 1] ?? 0]
  return style === 'bars' ? [first - 1_800, last + 1_800] : [Math.min(first, last - 60), last]
}

const buildAxes = ({ formatTime, formatValue, steps }: PlotData, { colours }: PlotLook): uPlot.Axis[] => {
  const common = {
    stroke: colours.text,
    font: `${fontSize}px ${colours.font}`,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1, size: 4 },
  }
  return [
    { ...common, grid: { show: false }, space: 60, size: 32, values: (_, splits) => splits.map(formatTime) },
    {
      ...common,
      splits: (_, __, ___, top) => buildSplits(top, steps),
      size: (_, values) => 16 + digitWidth * Math.max(2, ...(values ?? []).map(({ length }) => length)),
      values: (_, splits) => splits.map(formatValue),
    },
  ]
}

/** The second of two series differs by more than its colour: hollow bars, a dashed line. */
const buildSeries = (index: number, count: number, { style, colours }: PlotLook): uPlot.Series => {
  const stroke = colours.series[index] ?? colours.text
  const isFirst = index === 0
  if (style === 'line') return { stroke, width: 2, ...(isFirst ? {} : { dash: [6, 4] }) }
  const align = count === 1 ? 0 : isFirst ? -1 : 1
  return {
    stroke,
    width: 1.5,
    points: { show: false },
    ...(isFirst ? { fill: stroke } : {}),
    paths: uPlot.paths.bars?.({ align, size: [0.8 / count, 24] }) ?? null,
  } as uPlot.Series
}

const drawLimit = (plot: uPlot, { limit, colours }: PlotLook): void => {
  const { ctx, bbox } = plot
  if (limit === null) return
  const y = plot.valToPos(limit, 'y', true)
  ctx.save()
  ctx.strokeStyle = colours.limit
  ctx.lineWidth = 2 * devicePixelRatio
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}
