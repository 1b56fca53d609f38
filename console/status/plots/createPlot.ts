import uPlot from 'uplot'
import { buildPlotOptions } from './buildPlotOptions.ts'
import type { PlotLook } from './plotLook.ts'
import type { PlotData } from './plotSeries.ts'

/** Draws a plot into an element at its full width. The caller destroys it. */
export const createPlot = (element: HTMLElement, data: PlotData, look: PlotLook): uPlot =>
  new uPlot(buildPlotOptions(element.clientWidth, data, look), toColumns(data, look.style), element)

/** The data for the plot; an empty bar is omitted, so that no line is drawn on the axis. */
export const toColumns = ({ times, series }: PlotData, style: PlotLook['style']): uPlot.AlignedData => {
  const toDrawn = (value: number | null) => (style === 'bars' && value === 0 ? null : value)
  return [[...times], ...series.map(({ values }) => values.map(toDrawn))] as uPlot.AlignedData
}
