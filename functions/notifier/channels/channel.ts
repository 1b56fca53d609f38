import type { Subscription } from '#schema/queries/subscriptions.ts'
import type { JsonObject } from '#shared/http/errors.ts'
import type { NotificationType } from '#shared/notifications/notificationSchema.ts'

export type Channel = Subscription['channel']

/** What came of an attempt. A reason is for the account: it holds nothing of ours, and nothing of the answer but its status. */
export type Outcome =
  | { outcome: 'delivered' }
  /** `isOurFault`: or that of a provider; it says nothing of the target */
  | { outcome: 'failed'; reason: string; retryAfterMs?: number | undefined; isOurFault?: true }
  /** nothing will arrive there any more */
  | { outcome: 'gone'; reason: string }

/** Where a message goes. */
export type Target = Pick<Subscription, 'id' | 'pushKeys' | 'secret' | 'unsubscribeToken'> & {
  /** URL, e-mail address, id of a Telegram chat, endpoint of a push service */
  address: string
}

export type MessageType = NotificationType | 'notification.retracted' | 'subscription.challenge' | 'test'

/** What is said, for people and for programs. */
export type Message = {
  /** the same at every attempt: a receiver that knows it already has got this message */
  id: string
  type: MessageType
  /** when it happened, ISO 8601 */
  timestamp: string
  title: string
  text: string
  link: { label: string; url: string } | undefined
  /** the same for a notification and what takes it back */
  tag: string
  data: JsonObject
}

/** `attempt` counts from 1. */
export type SendContext = { attempt: number; now: Date }

/** Sends a message once, bounded in time; never rejects because of the target. */
export type Send = (target: Target, message: Message, context: SendContext) => Promise<Outcome>
