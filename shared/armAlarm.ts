/** Required part of a Durable Object's storage. */
type Alarms = { getAlarm: () => Promise<number | null>; setAlarm: (at: number) => Promise<void> }

/** An alarm that is overdue by this much counts as lost, milliseconds. */
const lostMs = 60_000

/** Whether the platform no longer runs an alarm: it is overdue. Times are Unix milliseconds. */
export const isOverdue = (alarm: number, now: number): boolean => alarm < now - lostMs

/**
 * Sets an object's alarm unless one is scheduled. One that is overdue counts as lost, and one that is too far ahead was
 * set before the system time moved back.
 * @param now Unix milliseconds
 * @param maxAheadMs longest time to an alarm of the object
 * @param at time of the alarm; now by default
 */
export const armAlarm = async (alarms: Alarms, now: number, maxAheadMs: number, at = now): Promise<void> => {
  const alarm = await alarms.getAlarm()
  if (alarm === null || isOverdue(alarm, now) || alarm > now + maxAheadMs) await alarms.setAlarm(at)
}
