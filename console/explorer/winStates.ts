import type { ChipTone } from '../ui/elements/Chip.tsx'

/** How a win ended. */
export const winStates: Record<
  'running' | 'settled' | 'mismatched' | 'reverted' | 'timedOut',
  { tone: ChipTone; label: string }
> = {
  running: { tone: 'live', label: 'Settling' },
  settled: { tone: 'ok', label: 'Settled' },
  mismatched: { tone: 'error', label: 'Paid less than promised' },
  reverted: { tone: 'error', label: 'Reverted' },
  timedOut: { tone: 'error', label: 'Not settled in time' },
}
