import { z } from 'zod'
import { describeError } from '#shared/http/describeError.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { attemptDelivery } from './attemptDelivery.ts'
import type { DeliveryOutcome } from './channels/channel.ts'
import type { DeliveryDeps } from './deps.ts'

/** The used part of a queue message. */
export type QueueMessage = { body: unknown; ack: () => void; retry: () => void }

/** Concurrent targets; the platform allows six connections per batch. */
const targetsAtOnce = 4

const dueSchema = z.object({
  id: z.number().int(),
  subscriptionId: z.string(),
  attempt: z.number().int().positive(),
})

type Parcel = { due: z.infer<typeof dueSchema>; message: QueueMessage }

/**
 * Attempts the deliveries of a batch: sequentially per subscription, concurrently across subscriptions. After a failure the
 * rest of the subscription's deliveries in the batch is skipped and due again after its lease. Only messages with database
 * errors return to the queue.
 */
export const consumeDeliveries = async (deps: DeliveryDeps, messages: readonly QueueMessage[]): Promise<void> => {
  const parcels = messages.flatMap((message) => unpack(deps, message))
  const bySubscription = Map.groupBy(parcels, ({ due }) => due.subscriptionId)
  await mapBounded([...bySubscription.values()], targetsAtOnce, (group) => attemptGroup(deps, group))
}

/** Malformed messages are dropped; they would be redelivered forever. */
const unpack = (deps: DeliveryDeps, message: QueueMessage): Parcel[] => {
  const due = dueSchema.safeParse(message.body)
  if (due.success) return [{ due: due.data, message }]
  deps.log({ message: 'dropped a malformed queue message' })
  message.ack()
  return []
}

const attemptGroup = async (deps: DeliveryDeps, group: readonly Parcel[]): Promise<void> => {
  let isFailing = false
  for (const { due, message } of group) {
    try {
      if (!isFailing) isFailing = isFailure(await attemptDelivery(deps, due))
      message.ack()
    } catch (error) {
      deps.log({
        message: 'delivery was not attempted, or its outcome is lost',
        deliveryId: due.id,
        cause: describeError(error),
      })
      message.retry()
    }
  }
}

const isFailure = (outcome: DeliveryOutcome['outcome'] | undefined): boolean =>
  outcome === 'failed' || outcome === 'gone'
