import type { DueAlert } from '#schema/queries/alarms/alertOutbox.ts'
import { type AlarmRule, alarmRules } from '#shared/alarms/alarmRules.ts'
import { formatSpan } from '#shared/alarms/formatFigure.ts'
import { findNetworkOf } from '#shared/networks.ts'
import type { Message } from '../channels/channel.ts'

const words = { raised: 'alarm', reminder: 'still an alarm', resolved: 'resolved' } as const
const rules: Readonly<Record<string, AlarmRule>> = alarmRules

/** The message of an alert; its id is the same at every attempt. */
export const toAlertMessage = (
  alert: Pick<DueAlert, 'id' | 'chainId' | 'key' | 'kind' | 'value' | 'crossedAt' | 'createdAt'>,
  publicUrl: string | undefined,
): Message => {
  const [id = '', subject = null] = alert.key.split('/')
  const rule = rules[id]
  const network = findNetworkOf(alert.chainId)?.name ?? String(alert.chainId)
  const label = rule?.label ?? id
  const solver = subject === null ? '' : ` (solver ${subject})`
  const seconds = (alert.createdAt.getTime() - alert.crossedAt.getTime()) / 1_000
  const since = `since ${alert.crossedAt.toISOString()}, for ${formatSpan(seconds)}`
  const text =
    alert.kind === 'resolved'
      ? `${label}${solver}: no longer the case. It lasted ${since}.`
      : `${label}${solver}: ${alert.value ?? 'unknown'}, ${since}. Limit: ${rule?.when ?? 'unknown'}. ${rule?.advice ?? ''}`
  return {
    id: `alert-${alert.id}`,
    type: `alarm.${alert.kind}`,
    timestamp: alert.createdAt.toISOString(),
    title: `${network}: ${words[alert.kind]}: ${label}`,
    text: text.trim(),
    link: publicUrl ? { label: 'Status', url: `${publicUrl}/status` } : undefined,
    tag: `${alert.chainId}/${alert.key}`,
    data: {
      network,
      alarm: id,
      solver: subject,
      value: alert.value,
      text: text.trim(),
      since: alert.crossedAt.toISOString(),
    },
  }
}
