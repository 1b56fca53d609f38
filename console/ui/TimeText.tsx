import { useNow } from './useNow.ts'

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

/** `5 min. ago`, `in 2 hr.` @param seconds from now, negative in the past */
export const formatRelative = (seconds: number): string => {
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return relative.format(Math.trunc(seconds / length), unit)
}

/** A moment as the distance from now, which keeps up; the exact time is its title. */
export const TimeText = ({ time }: { time: Date | string | number }) => {
  const now = useNow()
  const date = new Date(time)
  return (
    <time dateTime={date.toISOString()} title={absolute.format(date)}>
      {formatRelative(Math.round((date.getTime() - now) / 1_000))}
    </time>
  )
}
