import type { Subscription } from '#schema/queries/notifications/subscriptions.ts'
import type { Settings } from '../settings.ts'

/** Delivery channels of this deployment; a channel without its settings is missing. */
export type Offer = {
  channels: Subscription['channel'][]
  vapidPublicKey: string | null
  telegramBot: string | null
}

/** Lists the channels with complete settings. */
export const buildOffer = (
  settings: Pick<Settings, 'EMAIL_FROM' | 'TELEGRAM_BOT_NAME' | 'TELEGRAM_WEBHOOK_SECRET' | 'VAPID_PUBLIC_KEY'>,
): Offer => {
  const telegramBot = settings.TELEGRAM_WEBHOOK_SECRET ? settings.TELEGRAM_BOT_NAME : undefined
  return {
    channels: [
      'webhook',
      ...(settings.EMAIL_FROM ? (['email'] as const) : []),
      ...(telegramBot ? (['telegram'] as const) : []),
      ...(settings.VAPID_PUBLIC_KEY ? (['push'] as const) : []),
    ],
    vapidPublicKey: settings.VAPID_PUBLIC_KEY ?? null,
    telegramBot: telegramBot ?? null,
  }
}
