import type { ClaimedDelivery } from '#schema/queries/notifications/deliveries.ts'
import type { NotificationResponse, NotificationType } from '#shared/notifications/notificationSchema.ts'
import { toNotification } from '#shared/notifications/toNotification.ts'
import type { TokenBook } from '#shared/tokens/findTokenFacts.ts'
import type { Message } from './channels/channel.ts'

const titles: Record<NotificationType, string> = {
  order_filled: 'Order filled',
  order_partially_filled: 'Order partially filled',
  order_expired: 'Order expired',
  order_cancelled: 'Order cancelled',
  insufficient_balance: 'Order is missing funds',
  price_improvement: 'Better price',
}

/**
 * Builds the message of a delivery.
 * @param publicUrl base URL of links
 */
export const toMessage = (
  { delivery, notification: row }: Pick<ClaimedDelivery, 'delivery' | 'notification'>,
  findToken: TokenBook['find'],
  publicUrl: string | undefined,
): Message => {
  const notification = toNotification(row, findToken)
  const { type, message, timestamp } = notification
  return {
    id: `notification-${notification.id}-${delivery.revision}`,
    timestamp,
    link: toLink(notification, publicUrl),
    tag: `notification-${notification.id}`,
    data: notification,
    ...(delivery.isCorrection
      ? {
          type: 'notification.retracted',
          title: `Correction: ${titles[type].toLowerCase()}`,
          text: `Retracted after a chain reorganisation: ${message}`,
        }
      : { type, title: titles[type], text: message }),
  }
}

const toLink = ({ metadata: { links } }: NotificationResponse, publicUrl: string | undefined): Message['link'] => {
  if (links.transaction) return { label: 'The transaction', url: links.transaction }
  return publicUrl ? { label: 'The order', url: `${publicUrl}${links.order}` } : undefined
}
