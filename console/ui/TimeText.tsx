import { formatRelative } from './formatRelative.ts'
import { useNow } from './useNow.ts'

const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })

/** A time relative to now, updated live; the exact time is its title. */
export const TimeText = ({ time }: { time: Date | string | number }) => {
  const now = useNow()
  const date = new Date(time)
  return (
    <time dateTime={date.toISOString()} title={absolute.format(date)}>
      {formatRelative(Math.round((date.getTime() - now) / 1_000))}
    </time>
  )
}
