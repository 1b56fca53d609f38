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
