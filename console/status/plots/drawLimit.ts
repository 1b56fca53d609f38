import type uPlot from 'uplot'
import type { PlotLook } from './plotLook.ts'

/** Draws the threshold as a dotted line over the whole width. */
export const drawLimit = (plot: uPlot, { limit, colours }: PlotLook): void => {
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
