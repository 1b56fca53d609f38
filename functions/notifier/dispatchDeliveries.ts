import type { Database } from '#schema/client.ts'
import { type DueDelivery, dispatchNotifications, takeDueDeliveries } from '#schema/queries/deliveries.ts'
import type { DeliveryQueue } from './settings.ts'

export type DispatchDeps = {
  database: Database
  queue: DeliveryQueue<DueDelivery>
  now: () => Date
}

/** A delivery that was queued, and that nobody attempts, is queued again after this. */
export const queueLeaseMs = 60_000

/** An account may have hundreds of subscriptions, and each notification is a row for each of them: one statement has to end in time. */
const notificationsAtOnce = 100
const deliveriesAtOnce = 500
/** Statements of one kind; the rest waits for the next call. */
const maxRounds = 20
/** most messages that a queue takes at once */
const perBatch = 100

/**
 * Writes deliveries of what happened since the last time, and queues all that are due. May be called at any time, by several at
 * once, and may fail half-way: what is not done is done by the next call.
 * @throws whatever database and queue throw
 */
export const dispatchDeliveries = async (deps: DispatchDeps): Promise<{ notifications: number; queued: number }> => {
  const notifications = await repeat(notificationsAtOnce, (limit) =>
    dispatchNotifications(deps.database, limit, deps.now()),
  )
  let queued = 0
  await repeat(deliveriesAtOnce, async (limit) => {
    const { taken, due } = await takeDueDeliveries(deps.database, {
      limit,
      leaseMs: queueLeaseMs,
      now: deps.now(),
    })
    for (let start = 0; start < due.length; start += perBatch) {
      await deps.queue.sendBatch(due.slice(start, start + perBatch).map((body) => ({ body })))
    }
    queued += due.length
    return taken
  })
  return { notifications, queued }
}

/** Until a statement finds less than it could have taken; the sum of what they found. */
const repeat = async (limit: number, run: (limit: number) => Promise<number>): Promise<number> => {
  let sum = 0
  for (let round = 0; round < maxRounds; round++) {
    const count = await run(limit)
    sum += count
    if (count < limit) break
  }
  return sum
}
