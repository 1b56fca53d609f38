import type { Database } from '#schema/client.ts'
import {
  type DueAlert,
  deleteOldAlerts,
  markAlertFailed,
  markAlertSent,
  takeDueAlerts,
} from '#schema/queries/alarms/alertOutbox.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { DeliveryOutcome } from '../channels/channel.ts'
import type { AlertChannels } from './connectAlertChannels.ts'
import { toAlertMessage } from './toAlertMessage.ts'

export type AlertDeps = {
  database: Database
  channels: AlertChannels
  publicUrl: string | undefined
  /** Unix milliseconds */
  now: () => number
  log: (entry: JsonObject) => void
}

/** An attempt that takes longer counts as lost; longer than all attempts of a run take. */
const leaseMs = 5 * 60_000
const alertsAtOnce = 20
const firstDelayMs = 60_000
const maxDelayMs = 60 * 60_000
const retentionMs = 30 * 24 * 60 * 60_000

/**
 * Sends due alerts, the oldest first. A failed one is due again after a delay that doubles from a minute to an hour, for
 * thirty days.
 * @throws errors of the database
 */
export const sendAlerts = async (deps: AlertDeps): Promise<void> => {
  const { database, now } = deps
  await deleteOldAlerts(database, new Date(now() - retentionMs))
  for (const alert of await takeDueAlerts(database, { limit: alertsAtOnce, leaseMs, now: new Date(now()) })) {
    const outcome = await sendAlert(deps, alert)
    if (outcome.outcome === 'delivered') {
      await markAlertSent(database, alert.id, new Date(now()))
      continue
    }
    const delayMs = Math.min(firstDelayMs * 2 ** Math.min(alert.attempts - 1, 16), maxDelayMs)
    deps.log({ message: 'alert was not sent', alert: alert.id, channel: alert.channel, reason: outcome.reason })
    await markAlertFailed(database, alert, outcome.reason, new Date(now() + delayMs))
  }
}

const sendAlert = async ({ channels, publicUrl, now }: AlertDeps, alert: DueAlert): Promise<DeliveryOutcome> => {
  const send = channels[alert.channel]
  if (!send) return { outcome: 'failed', reason: 'the channel has no settings' }
  try {
    return await send(toAlertMessage(alert, publicUrl), { attempt: alert.attempts, now: new Date(now()) })
  } catch (error) {
    return { outcome: 'failed', reason: describeError(error) }
  }
}
