import { sinkSettings } from './sinkSettings.ts'

const { emailApiKey, emailFrom, telegramBotToken, telegramBotName, telegramWebhookSecret, vapid } = sinkSettings

/**
 * Settings that enable every channel and deliver to the sinks.
 * @param baseUrl of the API
 */
export const buildNotificationVars = (baseUrl: string, sinksUrl: string) => ({
  accounts: {
    CMS_ENABLED: 'true',
    CMS_API_KEY: 'on',
    EMAIL_FROM: emailFrom,
    TELEGRAM_BOT_NAME: telegramBotName,
    TELEGRAM_WEBHOOK_SECRET: telegramWebhookSecret,
    VAPID_PUBLIC_KEY: vapid.publicKey,
    ALLOW_PRIVATE_TARGETS: 'true',
  },
  notifier: {
    PUBLIC_URL: baseUrl,
    EMAIL_URL: sinksUrl,
    EMAIL_API_KEY: emailApiKey,
    EMAIL_FROM: emailFrom,
    TELEGRAM_URL: sinksUrl,
    TELEGRAM_BOT_TOKEN: telegramBotToken,
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    VAPID_SUBJECT: vapid.subject,
    ALLOW_PRIVATE_TARGETS: 'true',
  },
})
