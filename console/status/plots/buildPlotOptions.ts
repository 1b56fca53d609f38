import type uPlot from 'uplot'
import { buildPlotAxes } from './buildPlotAxes.ts'
import { buildPlotSeries } from './buildPlotSeries.ts'
import { drawLimit } from './drawLimit.ts'
import { type PlotLook, plotHeight } from './plotLook.ts'
import type { PlotData } from './plotSeries.ts'
import { findTop } from './valueAxis.ts'

/** Scales, axes, series and the threshold line of a plot. */
export const buildPlotOptions = (width: number, data: PlotData, look: PlotLook): uPlot.Options => ({
  width,
  height: plotHeight,
  legend: { show: false },
  cursor: { y: false, drag: { x: false, y: false }, points: { show: look.style === 'line' } },
  scales: {
    x: { range: ({ data: [times] }) => findTimeRange(times, look.style) },
    y: { range: (_, __, max) => [0, findTop(Math.max(max ?? 0, look.limit ?? 0), data.steps)] },
  },
  axes: buildPlotAxes(data, look),
  series: [{}, ...data.series.map((_, index) => buildPlotSeries(index, data.series.length, look))],
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
