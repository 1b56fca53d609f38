import type { Settings } from '../settings.ts'
import type { Channel, Send } from './channel.ts'
import type { TargetSettings } from './openTarget.ts'
import { sendEmail } from './sendEmail.ts'
import { sendPush } from './sendPush.ts'
import { sendTelegram } from './sendTelegram.ts'
import { sendWebhook } from './sendWebhook.ts'

/** The enabled channels. */
export type Channels = Partial<Record<Channel, Send>>

/** Enables the channels with complete settings. */
export const connectChannels = (settings: Settings): Channels => ({
  webhook: sendWebhook(toTargetSettings(settings)),
  ...connectEmail(settings),
  ...connectTelegram(settings),
  ...connectPush(settings),
})

export const toTargetSettings = ({ DNS_URL, ALLOW_PRIVATE_TARGETS }: Settings): TargetSettings => ({
  dnsUrl: DNS_URL,
  allowPrivate: ALLOW_PRIVATE_TARGETS,
})

const connectEmail = ({ EMAIL_URL: url, EMAIL_API_KEY: apiKey, EMAIL_FROM: from, PUBLIC_URL: publicUrl }: Settings) =>
  apiKey && from && publicUrl ? { email: sendEmail({ url, apiKey, from, publicUrl }) } : {}

const connectTelegram = ({ TELEGRAM_URL: url, TELEGRAM_BOT_TOKEN: botToken }: Settings) =>
  botToken ? { telegram: sendTelegram({ url, botToken }) } : {}

const connectPush = (settings: Settings) => {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT: subject } = settings
  if (!publicKey || !privateKey || !subject) return {}
  return { push: sendPush({ ...toTargetSettings(settings), vapid: { publicKey, privateKey, subject } }) }
}
