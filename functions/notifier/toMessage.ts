import type { ClaimedDelivery } from '#schema/queries/notifications/deliveryAttempts.ts'
import { notificationDeclarations } from '#shared/notifications/notificationDeclarations.ts'
import type { NotificationResponse } from '#shared/notifications/notificationSchema.ts'
import { toNotification } from '#shared/notifications/toNotification.ts'
import type { TokenBook } from '#shared/tokens/findTokenFacts.ts'
import type { Message } from './channels/channel.ts'

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
  const { title } = notificationDeclarations[type]
  return {
    id: `notification-${notification.id}-${delivery.revision}`,
    timestamp,
    link: toLink(notification, publicUrl),
    tag: `notification-${notification.id}`,
    data: notification,
    ...(delivery.isCorrection
      ? {
          type: 'notification.retracted',
          title: `Correction: ${title.toLowerCase()}`,
          text: `${row.blockNumber === null ? 'Retracted, because the order was filled' : 'Retracted after a chain reorganisation'}: ${message}`,
        }
      : { type, title, text: message }),
  }
}

const toLink = ({ metadata: { links } }: NotificationResponse, publicUrl: string | undefined): Message['link'] => {
  if (links.transaction) return { label: 'The transaction', url: links.transaction }
  return publicUrl ? { label: 'The order', url: `${publicUrl}${links.order}` } : undefined
}
