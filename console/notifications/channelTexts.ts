import type { Channels } from './buildMessages.ts'

export type ChannelName = Channels['channels'][number]

/** Channels in words, in the order of the page. */
export const channelTexts: Record<ChannelName, { label: string; text: string }> = {
  push: { label: 'Browser', text: 'Messages of this browser, also while the page is closed.' },
  email: { label: 'E-mail', text: 'A mail for each event, after you confirm the address.' },
  telegram: { label: 'Telegram', text: 'Messages of a bot, after you open a link.' },
  webhook: { label: 'Webhook', text: 'A signed request to your own server.' },
}

export const channelNames = Object.keys(channelTexts) as ChannelName[]

/** Channels that lack a setting, as a sentence; null: none. */
export const describeMissingChannels = (offered: readonly ChannelName[]): string | null => {
  const missing = channelNames.filter((name) => !offered.includes(name)).map((name) => channelTexts[name].label)
  if (missing.length === 0) return null
  const list = new Intl.ListFormat('en', { type: 'conjunction' }).format(missing)
  return `Not configured on this deployment: ${list}.`
}
