/** Values at the times of a plot; null where missing. */
export type PlotSeries = {
  label: string
  values: readonly (number | null)[]
}

/** The content of a plot in all forms: drawing, sentence, table. */
export type PlotData = {
  /** Unix seconds, oldest first */
  times: readonly number[]
  series: readonly PlotSeries[]
  formatTime: (time: number) => string
  formatValue: (value: number) => string
  /** possible steps of the value axis, ascending */
  steps: readonly number[]
}
