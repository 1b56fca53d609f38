const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const dayAndClock = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

const day = new Intl.DateTimeFormat('en', { dateStyle: 'full' })

/** `Saturday, November 21, 2026` */
export const formatDay = (time: number): string => day.format(time)

/** `14:03:05`, for a known local day. */
export const formatClock = (time: number): string => clock.format(time)

/** `Nov 21, 2026, 14:03:05` */
export const formatDayAndClock = (time: number): string => dayAndClock.format(time)
