/** Values over the times of a plot; null where there is none. */
export type PlotSeries = {
  label: string
  values: readonly (number | null)[]
}

/** What a plot shows, in every form that it has: drawn, in a sentence, as a table. */
export type PlotData = {
  /** Unix seconds, oldest first */
  times: readonly number[]
  series: readonly PlotSeries[]
  formatTime: (time: number) => string
  formatValue: (value: number) => string
  /** lengths that a step of the axis of the values may have, ascending */
  steps: readonly number[]
}
