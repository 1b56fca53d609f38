/** Required part of a Durable Object's storage. */
type Alarms = { getAlarm: () => Promise<number | null>; setAlarm: (at: number) => Promise<void> }

/** An alarm that is overdue by this much counts as lost. */
const lostMs = 60_000

/**
 * Sets an object's alarm to now unless one is already scheduled.
 * @param now Unix milliseconds
 */
export const armAlarm = async (alarms: Alarms, now: number): Promise<void> => {
  const alarm = await alarms.getAlarm()
  if (alarm === null || alarm < now - lostMs) await alarms.setAlarm(now)
}
