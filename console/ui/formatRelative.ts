const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })

/** `5 min. ago`, `in 2 hr.`, to the nearest unit. @param seconds from now, negative in the past */
export const formatRelative = (seconds: number): string => {
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return relative.format(Math.round(seconds / length), unit)
}
