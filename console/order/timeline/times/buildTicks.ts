export type Tick = { time: number; label: string }

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const steps = [
  ...[100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...[1, 2, 3, 6, 12].map((n) => n * hour),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((n) => n * day),
]

/**
 * Round local times between two times, Unix milliseconds, for an axis.
 * @param most upper bound of their number
 */
export const buildTicks = (from: number, to: number, most = 5): Tick[] => {
  const step = steps.find((size) => (to - from) / size <= most - 1) ?? (to - from) / (most - 1)
  const offset = new Date(from).getTimezoneOffset() * minute
  const first = Math.ceil((from - offset) / step) * step + offset
  const format = findFormat(step)
  const ticks: Tick[] = []
  for (let time = first; time <= to; time += step) {
    // midnight shows the new day
    const isMidnight = step >= hour && new Date(time).getHours() === 0
    ticks.push({ time, label: (isMidnight ? dayFormat : format).format(time) })
  }
  return ticks
}

const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const findFormat = (step: number): Intl.DateTimeFormat => {
  if (step < second) return new Intl.DateTimeFormat('en', { ...clock, second: '2-digit', fractionalSecondDigits: 1 })
  if (step < minute) return new Intl.DateTimeFormat('en', { ...clock, second: '2-digit' })
  if (step < day) return new Intl.DateTimeFormat('en', clock)
  return dayFormat
}
