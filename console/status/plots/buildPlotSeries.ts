import uPlot from 'uplot'
import type { PlotLook } from './plotLook.ts'

/** The second of two series differs by more than its colour: hollow bars, a dashed line. */
export const buildPlotSeries = (index: number, count: number, { style, colours }: PlotLook): uPlot.Series => {
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
