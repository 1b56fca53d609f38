import { type AlarmContext, type AlarmId, type AlarmRule, alarmRules, type NetworkStatus } from './alarmRules.ts'

/** A network that does not say how it is doing has no figures. */
export type AnyStatus = NetworkStatus | { state: 'unavailable' }

/** A limit that is crossed now. */
export type Alarm = {
  /** the same as long as it is crossed, among all alarms of the network */
  key: string
  id: AlarmId
  rule: AlarmRule
  /** address of the solver that it is about */
  subject: string | null
  value: string
}

const entries = Object.entries(alarmRules) as [AlarmId, AlarmRule][]

/** Every limit of docs/operations.md that a status crosses. How long it has done so, the caller remembers. */
export const findAlarms = (status: AnyStatus, context: AlarmContext): Alarm[] => {
  if (status.state === 'unavailable') {
    const rule = alarmRules.unavailable
    return [{ key: 'unavailable', id: 'unavailable', rule, subject: null, value: 'unavailable' }]
  }
  return entries.flatMap(([id, rule]) =>
    rule.findCrossings(status, context).map(({ subject, value }) => ({
      key: subject === null ? id : `${id}/${subject}`,
      ...{ id, rule, subject, value },
    })),
  )
}
