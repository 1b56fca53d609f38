/** The part of a Durable Object's storage that this needs. */
type Alarms = { getAlarm: () => Promise<number | null>; setAlarm: (at: number) => Promise<void> }

/** An alarm that is overdue by this much is taken for lost. */
const lostMs = 60_000

/**
 * Has an object work now unless an alarm of it is coming.
 * @param now Unix milliseconds
 */
export const armAlarm = async (alarms: Alarms, now: number): Promise<void> => {
  const alarm = await alarms.getAlarm()
  if (alarm === null || alarm < now - lostMs) await alarms.setAlarm(now)
}
