export type Tone = 'plain' | 'info' | 'good' | 'warn' | 'bad'

/** A mark in a lane: a point when `from` equals `to`, else a bar. */
export type Mark = { from: number; to: number; tone: Tone; label: string; count: number }

/** A mark of one event. @param time Unix milliseconds */
export const toPoint = (time: number, tone: Tone, label: string): Mark => ({
  from: time,
  to: time,
  tone,
  label,
  count: 1,
})
