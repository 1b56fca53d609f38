import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './Icon.tsx'
import './chip.css'

/** `live`: the running state; `act`: the user can cure it now; `ended`: over without gain or loss */
export type ChipTone = 'ok' | 'live' | 'waiting' | 'act' | 'error' | 'ended'

const icons: Record<ChipTone, IconName> = {
  ok: 'check',
  live: 'half',
  waiting: 'clock',
  act: 'alert',
  error: 'cross',
  ended: 'minus',
}

/** A state as a word, a colour and an icon. */
export const Chip = ({ tone, children }: { tone: ChipTone; children: ComponentChildren }) => (
  <span class={`chip ${tone}`}>
    <Icon name={icons[tone]} size={14} />
    {children}
  </span>
)
