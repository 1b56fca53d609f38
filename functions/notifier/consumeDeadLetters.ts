import { z } from 'zod'
import type { QueueMessage } from './consumeDeliveries.ts'
import type { DeliveryDeps } from './deps.ts'

const letterSchema = z.object({ id: z.number().int(), attempt: z.number().int() })

/** Whether a queue holds the messages on which the consumer failed too often, in any environment. */
export const isDeadLetterQueue = (name: string): boolean => /^edgebook-deliveries-dead(?:-|$)/.test(name)

/**
 * Logs messages on which the consumer failed too often, and removes them. Their deliveries are in the database and become
 * due again, so nothing is sent from here.
 */
export const consumeDeadLetters = ({ log }: Pick<DeliveryDeps, 'log'>, messages: readonly QueueMessage[]): void => {
  for (const { body, ack } of messages) {
    const letter = letterSchema.safeParse(body).data
    log({ message: 'consumer of deliveries failed', deliveryId: letter?.id ?? null, attempt: letter?.attempt ?? null })
    ack()
  }
}
