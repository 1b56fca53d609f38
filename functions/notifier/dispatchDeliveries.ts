import type { Database } from '#schema/client.ts'
import { type DueDelivery, takeDueDeliveries } from '#schema/queries/notifications/deliveries.ts'
import { dispatchNotifications } from '#schema/queries/notifications/dispatchNotifications.ts'
import { toChunks } from '#shared/toChunks.ts'
import { givenUpAfterMs } from './computeNextAttempt.ts'
import type { DeliveryQueue } from './settings.ts'

export type DispatchDeps = {
  database: Database
  queue: DeliveryQueue<DueDelivery>
  now: () => number
}

/** A queued delivery without an attempt is queued again after this time. */
const queueLeaseMs = 60_000

/** Bounded, because a notification creates a row per subscription, and an account may have hundreds of them. */
const notificationsAtOnce = 100
const deliveriesAtOnce = 500
/** Maximum statements of each kind; the next call continues. */
const maxRounds = 20
/** maximum messages per batch of the queue */
const perBatch = 100

/**
 * Writes deliveries of new notifications, and queues all due ones. Idempotent and safe to run concurrently; after a failure the
 * next call continues.
 * @throws errors of database and queue
 */
export const dispatchDeliveries = async (deps: DispatchDeps): Promise<{ notifications: number; queued: number }> => {
  const notifications = await repeat(notificationsAtOnce, (limit) =>
    dispatchNotifications(deps.database, {
      limit,
      now: new Date(deps.now()),
      since: new Date(deps.now() - givenUpAfterMs),
    }),
  )
  let queued = 0
  await repeat(deliveriesAtOnce, async (limit) => {
    const { taken, due } = await takeDueDeliveries(deps.database, {
      limit,
      leaseMs: queueLeaseMs,
      now: new Date(deps.now()),
    })
    for (const part of toChunks(due, perBatch)) await deps.queue.sendBatch(part.map((body) => ({ body })))
    queued += due.length
    return taken
  })
  return { notifications, queued }
}

/** Runs a statement until it finds fewer rows than its limit; returns the sum. */
const repeat = async (limit: number, run: (limit: number) => Promise<number>): Promise<number> => {
  let sum = 0
  for (let round = 0; round < maxRounds; round++) {
    const count = await run(limit)
    sum += count
    if (count < limit) break
  }
  return sum
}
