/** Ticks of a time axis. */
type TimeAxis = {
  ticks: readonly { /** Unix milliseconds */ time: number /** percent of the axis */; x: number }[]
  /** the span exceeds a day: a time of day alone is ambiguous */
  hasDates: boolean
}

const minuteMs = 60_000
const dayMs = 86_400_000
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * minuteMs)
const daySteps = [1, 2, 5, 7, 14, 30, 90].map((days) => days * dayMs)
const maxTicks = 5
/** Percent at both ends without ticks: their labels would be cut. */
const edge = 5

/**
 * Axis with at most five ticks at round local times; at midnights when the span exceeds a day.
 * @param from Unix milliseconds, as `to`
 * @param offsetMs local time minus UTC
 */
export const buildTimeAxis = (from: number, to: number, offsetMs: number): TimeAxis => {
  const span = to - from
  const hasDates = span > dayMs
  const choices = hasDates ? daySteps : steps
  const step = choices.find((ms) => span / ms <= maxTicks) ?? choices.at(-1) ?? dayMs
  const first = Math.ceil((from + offsetMs) / step) * step - offsetMs
  const times = span > 0 ? Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, i) => first + i * step) : []
  const ticks = times
    .map((time) => ({ time, x: Math.round(((time - from) / span) * 10_000) / 100 }))
    .filter(({ x }) => x >= edge && x <= 100 - edge)
  return { ticks, hasDates }
}
