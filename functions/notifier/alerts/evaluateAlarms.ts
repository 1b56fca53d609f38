import type { Database } from '#schema/client.ts'
import { recordAlarms } from '#schema/queries/alarms/recordAlarms.ts'
import { selectOldestUndelivered } from '#schema/queries/status/selectOldestUndelivered.ts'
import { type AnyStatus, computeAlarms } from '#shared/alarms/computeAlarms.ts'
import { networkStatusSchema } from '#shared/alarms/networkStatusSchema.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { Network } from '#shared/networks.ts'
import type { ServiceBinding } from '#shared/settings/serviceBinding.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import type { AlertChannels } from './connectAlertChannels.ts'

export type AlarmDeps = {
  database: Database
  /** status Worker of each network */
  statuses: readonly { network: Network; status: ServiceBinding }[]
  channels: AlertChannels
  /** Unix milliseconds */
  now: () => number
  log: (entry: JsonObject) => void
}

const timeoutMs = 5_000
const reminderSeconds = 24 * 60 * 60
/** The platform allows six connections. */
const networksAtOnce = 3

/**
 * Compares the status of every network with the alarm rules and writes the resulting alerts. A status that fails or is late
 * is `unavailable`, which is an alarm too. A network whose alarms cannot be recorded is logged and the others continue.
 */
export const evaluateAlarms = async (deps: AlarmDeps): Promise<void> => {
  const channels = Object.keys(deps.channels) as (keyof AlertChannels)[]
  if (channels.length === 0) return
  await mapBounded(deps.statuses, networksAtOnce, async ({ network, status }) => {
    const current = await withDeadline(readStatus(deps.database, network, status), timeoutMs).catch(() => unavailable)
    const alarms = computeAlarms(current, network)
    const crossed = alarms.map(({ key, value, rule: { lastsSeconds } }) => ({ key, value, lastsSeconds }))
    try {
      const now = new Date(deps.now())
      await recordAlarms(deps.database, { chainId: network.chainId, crossed, channels, reminderSeconds, now })
    } catch (error) {
      deps.log({
        message: 'alarms were not recorded',
        network: network.name,
        alarms: alarms.map(({ key }) => key),
        cause: describeError(error),
      })
    }
  })
}

const unavailable: AnyStatus = { state: 'unavailable' }

/** The deliveries of a network with its own database are here, where its status Worker does not see them. */
const readStatus = async (database: Database, network: Network, status: ServiceBinding): Promise<AnyStatus> => {
  const current = await requestStatus(status)
  if (current.state === 'unavailable') return current
  // a database that fails here also fails to record alarms, which is logged
  const seconds = await selectOldestUndelivered(database, network.chainId).catch(() => null)
  const { oldestUndeliveredSeconds } = current.notifications
  const oldest = seconds === null ? oldestUndeliveredSeconds : Math.max(seconds, oldestUndeliveredSeconds ?? 0)
  return { ...current, notifications: { ...current.notifications, oldestUndeliveredSeconds: oldest } }
}

const requestStatus = async (status: ServiceBinding): Promise<AnyStatus> => {
  const response = await status.fetch(new Request('http://status/status.json'))
  return response.ok ? networkStatusSchema.parse(await response.json()) : unavailable
}
