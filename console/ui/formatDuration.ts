import { localize } from './numbers.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`, `5 d 3 h`; the two largest units, truncated. */
export const formatDuration = (ms: number): string => {
  const positive = Math.max(ms, 0)
  if (positive < 10_000) return `${localize(String(Math.round(positive / 100) / 10))} s`
  if (positive < minute) return `${Math.floor(positive / 1_000)} s`
  if (positive < hour) return join(positive, [minute, 'min'], [1_000, 's'])
  if (positive < day) return join(positive, [hour, 'h'], [minute, 'min'])
  return join(positive, [day, 'd'], [hour, 'h'])
}

const join = (ms: number, [size, unit]: [number, string], [lesser, lesserUnit]: [number, string]): string => {
  const rest = Math.floor((ms % size) / lesser)
  return `${Math.floor(ms / size)} ${unit}${rest > 0 ? ` ${rest} ${lesserUnit}` : ''}`
}
