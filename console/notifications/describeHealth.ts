import type { components } from '../api/openapi.d.ts'
import type { ChipTone } from '../ui/elements/Chip.tsx'

export type Subscription = components['schemas']['Subscription']

/** Health of a subscription in words. */
export type Health = {
  tone: ChipTone
  label: string
  /** the reason, or what to do; null: nothing to add */
  note: string | null
}

const confirmations: Record<Subscription['channel'], string> = {
  webhook: 'It did not respond to the challenge. Add it again to repeat the challenge.',
  email: 'Open the link in the mail. Add it again for another mail.',
  telegram: 'Open the link to the bot. Add it again for another link.',
  push: 'Add it again in the browser that shows the messages.',
}

export const describeHealth = ({
  channel,
  confirmed,
  health,
}: Pick<Subscription, 'channel' | 'confirmed' | 'health'>): Health => {
  if (!confirmed) return { tone: 'act', label: 'Not confirmed', note: confirmations[channel] }
  if (health.pausedAt !== null)
    return { tone: 'error', label: 'Paused', note: `${health.pauseReason ?? 'The target failed too long'}.` }
  if (health.failures > 0)
    return {
      tone: 'act',
      label: 'Failing',
      note: `${health.failures} ${health.failures === 1 ? 'delivery' : 'deliveries'} failed in a row. Attempts go on.`,
    }
  return { tone: 'ok', label: health.lastDeliveredAt === null ? 'Ready' : 'Delivering', note: null }
}
