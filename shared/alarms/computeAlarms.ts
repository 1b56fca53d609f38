import { type AlarmContext, type AlarmId, type AlarmRule, alarmRules, type JudgedStatus } from './alarmRules.ts'

/** An unavailable network has no figures. */
export type AnyStatus = JudgedStatus | { state: 'unavailable' }

/** An exceeded limit. */
export type Alarm = {
  /** stable while exceeded, unique among the alarms of the network */
  key: string
  id: AlarmId
  rule: AlarmRule
  /** address of the solver concerned */
  subject: string | null
  value: string
}

const entries = Object.entries(alarmRules) as [AlarmId, AlarmRule][]

/** Limits of docs/operations.md that a status exceeds. The caller tracks their durations. */
export const computeAlarms = (status: AnyStatus, context: AlarmContext): Alarm[] => {
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
