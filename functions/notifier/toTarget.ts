import type { Subscription } from '#schema/queries/subscriptions.ts'
import type { Target } from './channels/channel.ts'

/**
 * Where the messages of a subscription go.
 * @throws Error when it is a chat that nobody has linked yet
 */
export const toTarget = ({ id, target, pushKeys, secret, unsubscribeToken }: Subscription): Target => {
  if (target === null) throw new Error(`subscription ${id} has no target`)
  return { id, address: target, pushKeys, secret, unsubscribeToken }
}
