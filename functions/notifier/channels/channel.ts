import type { Subscription } from '#schema/queries/notifications/subscriptions.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { NotificationType } from '#shared/notifications/notificationTypes.ts'

export type Channel = Subscription['channel']

/** Outcome of an attempt. A reason is shown to the account: it contains no internals, and only the status of the response. */
export type DeliveryOutcome =
  | { outcome: 'delivered' }
  /** `isOurFault`: the fault of this service or of a provider, not of the target */
  | { outcome: 'failed'; reason: string; retryAfterMs?: number | undefined; isOurFault?: true }
  /** the target no longer exists */
  | { outcome: 'gone'; reason: string }

/** Recipient of a message. */
export type DeliveryTarget = Pick<Subscription, 'id' | 'pushKeys' | 'secret'> & {
  /** null: not a subscription */
  unsubscribeToken: Subscription['unsubscribeToken'] | null
  /** URL, e-mail address, id of a Telegram chat, or push endpoint */
  address: string
}

export type MessageType =
  | NotificationType
  | 'notification.retracted'
  | 'subscription.challenge'
  | 'test'
  | `alarm.${'raised' | 'reminder' | 'resolved'}`

/** A message for people and programs. */
export type Message = {
  /** the same at every attempt, so that receivers can deduplicate */
  id: string
  type: MessageType
  /** time of the event, ISO 8601 */
  timestamp: string
  title: string
  text: string
  link: { label: string; url: string } | undefined
  /** the same for a notification and its retraction */
  tag: string
  data: JsonObject
}

/** `attempt` counts from 1. */
export type SendContext = { attempt: number; now: Date }

/** Sends a message once, bounded in time; never rejects because of the target. */
export type Send = (target: DeliveryTarget, message: Message, context: SendContext) => Promise<DeliveryOutcome>
