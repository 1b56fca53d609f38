/** Least-squares line through points. */
export const fitLine = (points: readonly (readonly [x: number, y: number])[]): { slope: number; start: number } => {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const slope = spread === 0 ? 0 : points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread
  return { slope, start: meanY - slope * meanX }
}

/** Rise of the fitted line from the first to the last point, as a share of its start. */
export const computeGrowth = (points: readonly (readonly [x: number, y: number])[]): number => {
  const [first, last] = [points.at(0), points.at(-1)]
  if (!first || !last) return 0
  const { slope, start } = fitLine(points)
  return (slope * (last[0] - first[0])) / (start + slope * first[0])
}
