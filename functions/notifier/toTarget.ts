import type { Subscription } from '#schema/queries/notifications/subscriptions.ts'
import type { DeliveryTarget } from './channels/channel.ts'

/**
 * The recipient of a subscription's messages.
 * @throws Error when its Telegram chat is not linked yet
 */
export const toTarget = ({ id, target, pushKeys, secret, unsubscribeToken }: Subscription): DeliveryTarget => {
  if (target === null) throw new Error(`subscription ${id} has no target`)
  return { id, address: target, pushKeys, secret, unsubscribeToken }
}
