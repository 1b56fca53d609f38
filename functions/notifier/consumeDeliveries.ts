import { z } from 'zod'
import { describeError } from '#shared/http/describeError.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { attemptDelivery } from './attemptDelivery.ts'
import type { Outcome } from './channels/channel.ts'
import type { DeliveryDeps } from './deps.ts'

/** A message of the queue, as far as it is used. */
export type QueueMessage = { body: unknown; ack: () => void; retry: () => void }

/** Targets that are written to at once. Six connections are what the platform gives to one batch. */
const lanes = 4

const dueSchema = z.object({
  id: z.number().int(),
  subscriptionId: z.string(),
  attempt: z.number().int().positive(),
})

type Parcel = { due: z.infer<typeof dueSchema>; message: QueueMessage }

/**
 * Attempts the deliveries of a batch: each subscription's one after the other, different ones' at once. A target that fails is
 * left alone for the rest of the batch, so that nobody waits for it; what was not attempted is due again after its lease. Only
 * what the database kept from being done goes back to the queue.
 */
export const consumeDeliveries = async (deps: DeliveryDeps, messages: readonly QueueMessage[]): Promise<void> => {
  const parcels = messages.flatMap((message) => unpack(deps, message))
  const bySubscription = Map.groupBy(parcels, ({ due }) => due.subscriptionId)
  await mapBounded([...bySubscription.values()], lanes, (group) => attemptGroup(deps, group))
}

/** What nobody can read is thrown away: it would come back for ever. */
const unpack = (deps: DeliveryDeps, message: QueueMessage): Parcel[] => {
  const due = dueSchema.safeParse(message.body)
  if (due.success) return [{ due: due.data, message }]
  deps.log({ message: 'an unreadable message was taken off the queue' })
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
        message: 'a delivery was not attempted, or its outcome is lost',
        deliveryId: due.id,
        cause: describeError(error),
      })
      message.retry()
    }
  }
}

const isFailure = (outcome: Outcome['outcome'] | undefined): boolean => outcome === 'failed' || outcome === 'gone'
