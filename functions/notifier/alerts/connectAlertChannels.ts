import type { alerts } from '#schema/tables/alarms/alerts.ts'
import type { DeliveryOutcome, Message, SendContext } from '../channels/channel.ts'
import { toTargetSettings } from '../channels/connectChannels.ts'
import { sendEmail } from '../channels/sendEmail.ts'
import { sendWebhook } from '../channels/sendWebhook.ts'
import type { Settings } from '../settings.ts'

type SendAlert = (message: Message, context: SendContext) => Promise<DeliveryOutcome>

/** The channels of alerts with complete settings. */
export type AlertChannels = Partial<Record<(typeof alerts.$inferSelect)['channel'], SendAlert>>

/** The targets of the operator. Neither is a subscription, so messages have no link to unsubscribe. */
export const connectAlertChannels = (settings: Settings): AlertChannels => ({
  ...connectWebhook(settings),
  ...connectMail(settings),
})

const noSubscription = { id: 'alerts', pushKeys: null, unsubscribeToken: null }

const connectWebhook = (settings: Settings): AlertChannels => {
  const { ALERT_WEBHOOK_URL: address, ALERT_WEBHOOK_SECRET: secret } = settings
  if (!address || !secret) return {}
  const send = sendWebhook(toTargetSettings(settings))
  return { webhook: (message, context) => send({ ...noSubscription, address, secret }, message, context) }
}

const connectMail = (settings: Settings): AlertChannels => {
  const { ALERT_EMAIL: address, EMAIL_URL: url, EMAIL_API_KEY: apiKey, EMAIL_FROM: from } = settings
  if (!address || !apiKey || !from) return {}
  const send = sendEmail({ url, apiKey, from, publicUrl: settings.PUBLIC_URL ?? '' })
  return { email: (message, context) => send({ ...noSubscription, address, secret: null }, message, context) }
}
