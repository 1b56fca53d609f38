import type uPlot from 'uplot'
import type { PlotLook } from './plotLook.ts'
import type { PlotData } from './plotSeries.ts'
import { buildSplits } from './valueAxis.ts'

const fontSize = 12
/** Width of the widest digit at that size, in pixels. */
const digitWidth = 7

/** Axes with the texts of the data, as wide as the longest one. */
export const buildPlotAxes = ({ formatTime, formatValue, steps }: PlotData, { colours }: PlotLook): uPlot.Axis[] => {
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
