import { connectDatabase } from '#schema/client.ts'
import { confirmTarget, selectSubscription } from '#schema/queries/notifications/subscriptionTargets.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { insertTokens, selectTokens } from '#schema/queries/tokens/tokens.ts'
import { connectNetworks } from '#shared/chain/connectNetworks.ts'
import { limitInvocations } from '#shared/connections/connectionLimit.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { describeError } from '#shared/http/describeError.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { describeFaults } from '#shared/settings/describeFaults.ts'
import { findTokenDetails } from '#shared/tokens/findTokenDetails.ts'
import { findTokenFacts } from '#shared/tokens/findTokenFacts.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import { connectAlertChannels } from './alerts/connectAlertChannels.ts'
import { evaluateAlarms } from './alerts/evaluateAlarms.ts'
import { sendAlerts } from './alerts/sendAlerts.ts'
import { carryNotifications } from './carryNotifications.ts'
import { carryTrades } from './carryTrades.ts'
import { challengeTarget } from './challengeTarget.ts'
import { connectChannels, toTargetSettings } from './channels/connectChannels.ts'
import { consumeDeadLetters, isDeadLetterQueue } from './consumeDeadLetters.ts'
import { consumeDeliveries, type QueueMessage } from './consumeDeliveries.ts'
import type { DeliveryDeps } from './deps.ts'
import { dispatchDeliveries } from './dispatchDeliveries.ts'
import { postChallenge } from './postChallenge.ts'
import { postDispatch } from './postDispatch.ts'
import { postTest } from './postTest.ts'
import { removeOldNotifications } from './removeOldNotifications.ts'
import { removeOutdated } from './removeOutdated.ts'
import { sendTest } from './sendTest.ts'
import { type Settings, settingsSchema } from './settings.ts'

/** Deadline for token metadata. */
const tokenTimeoutMs = 3_000

const worker = createWorker({
  settings: settingsSchema,
  routes: (settings: Settings) => {
    const deps = buildDeliveryDeps(settings)
    const find = (id: string) => selectSubscription(deps.database, id)
    return [
      postDispatch({ dispatch: () => dispatch(settings) }),
      postTest({ selectSubscription: find, sendTest: (subscription) => sendTest(deps, subscription) }),
      postChallenge({
        selectSubscription: find,
        challenge: (subscription) =>
          challengeTarget(
            {
              ...deps,
              targets: toTargetSettings(settings),
              confirmTarget: (id, now) => confirmTarget(deps.database, id, now),
            },
            subscription,
          ),
      }),
    ]
  },
  probes: ({ DATABASE_URL }) => ({ database: () => checkDatabase(connectDatabase(DATABASE_URL)) }),
})

export default {
  ...worker,
  /** Watchdog and cleanup: within a minute, dispatches what the clocks missed and queues overdue deliveries again. */
  scheduled: limitInvocations(async (_event: unknown, env: object): Promise<void> => {
    const settings = readSettings(env)
    await alert(settings).catch((error) => logEntry({ message: 'alerts failed', cause: describeError(error) }))
    await dispatch(settings)
    await carryStatistics(settings)
    const { DATABASE_URL, DATABASE_URLS, NOTIFICATION_RETENTION_DAYS: notificationDays } = settings
    const database = connectDatabase(DATABASE_URL)
    await removeOutdated(database, new Date())
    if (notificationDays === undefined) return
    const databases = [database, ...[...DATABASE_URLS.values()].map((url) => connectDatabase(url))]
    await removeOldNotifications(databases, new Date(), notificationDays)
  }),
  queue: limitInvocations(async ({ queue, messages }: QueueBatch, env: object): Promise<void> => {
    // without settings, which may be why they failed
    if (isDeadLetterQueue(queue)) consumeDeadLetters({ log: logEntry }, messages)
    else await consumeDeliveries(buildDeliveryDeps(readSettings(env)), messages)
  }),
}

type QueueBatch = { queue: string; messages: readonly QueueMessage[] }

/** @throws Error on malformed settings, so that the platform retries */
const readSettings = (env: object): Settings => {
  const settings = settingsSchema.safeParse(env)
  if (settings.data) return settings.data
  throw new Error(`deliveries are off: ${describeFaults(settings.error).join('; ')}`)
}

/** First, because deliveries may fail for the reason of an alarm. */
const alert = async (settings: Settings): Promise<void> => {
  const database = connectDatabase(settings.DATABASE_URL)
  const deps = { database, channels: connectAlertChannels(settings), now: Date.now, log: logEntry }
  await evaluateAlarms({ ...deps, statuses: settings.statuses })
  await sendAlerts({ ...deps, publicUrl: settings.PUBLIC_URL || undefined })
}

/** Networks whose notifications are copied at the same time; the platform allows six connections. */
const networksAtOnce = 3

/** Each network's database separately: one that fails or is slow delays no other network. */
const dispatch = async ({ DATABASE_URL, DATABASE_URLS, DELIVERIES: queue }: Settings) => {
  const database = connectDatabase(DATABASE_URL)
  const dispatched = await dispatchDeliveries({ database, queue, now: Date.now })
  await mapBounded([...DATABASE_URLS], networksAtOnce, async ([network, databaseUrl]) => {
    try {
      if ((await carryNotifications(connectDatabase(databaseUrl), database)) === 0) return
      const { notifications, queued } = await dispatchDeliveries({ database, queue, now: Date.now })
      dispatched.notifications += notifications
      dispatched.queued += queued
    } catch (error) {
      logEntry({ message: 'notifications of a network wait', network, cause: describeError(error) })
    }
  })
  if (dispatched.notifications + dispatched.queued > 0) logEntry({ message: 'dispatched', ...dispatched })
  return dispatched
}

/** Once a minute; the statistics of affiliates count all networks. */
const carryStatistics = async ({ DATABASE_URL, DATABASE_URLS }: Settings): Promise<void> => {
  const database = connectDatabase(DATABASE_URL)
  await mapBounded([...DATABASE_URLS], networksAtOnce, async ([network, databaseUrl]) => {
    try {
      await carryTrades(connectDatabase(databaseUrl), database, networks[network].chainId)
    } catch (error) {
      logEntry({ message: 'affiliate statistics of a network wait', network, cause: describeError(error) })
    }
  })
}

const buildDeliveryDeps = (settings: Settings): DeliveryDeps => {
  const database = connectDatabase(settings.DATABASE_URL)
  const onNetwork = connectNetworks(settings.RPC_URLS)
  return {
    database,
    channels: connectChannels(settings),
    publicUrl: settings.PUBLIC_URL || undefined,
    now: Date.now,
    random: Math.random,
    log: logEntry,
    findTokens: (tokens) =>
      findTokenFacts(
        {
          isServed: ({ name }) => settings.RPC_URLS.has(name as NetworkName),
          selectTokens: (wanted) => selectTokens(database, wanted),
          findTokenDetails: (network, addresses) =>
            withDeadline(
              onNetwork(network, (chain) => findTokenDetails(chain, network, addresses)),
              tokenTimeoutMs,
            ),
          insertTokens: (found) => insertTokens(database, found),
        },
        tokens,
      ),
  }
}
