const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** `1,234` */
export const formatCount = (count: number): string => whole.format(count)

/** `1,234 ms` */
export const formatMs = (ms: number): string => `${whole.format(ms)} ms`

/** A duration in its two largest units: `42 s`, `4 min 10 s`, `2 h`. */
export const formatSpan = (seconds: number): string => {
  const rest = Math.max(0, Math.round(seconds))
  const first = units.findIndex(([, size]) => rest >= size)
  const [[unit, size], next] = [units[first] ?? (['s', 1] as const), units[first + 1]]
  const small = next ? Math.floor((rest % size) / next[1]) : 0
  return `${Math.floor(rest / size)} ${unit}${next && small > 0 ? ` ${small} ${next[0]}` : ''}`
}

/** `33.3 %` of a total; no text for a total of zero. */
export const formatPercent = (part: number, all: number): string =>
  all > 0 ? `${oneDigit.format((100 * part) / all)} %` : '–'

/** A figure that may be missing. */
export const formatOr = (value: number | null, format: (value: number) => string, missing: string): string =>
  value === null ? missing : format(value)
