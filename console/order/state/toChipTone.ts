import type { ChipTone } from '../../ui/elements/Chip.tsx'
import type { Order } from '../loading/loadOrder.ts'

/** Grey for all that is over without gain or loss; amber only where the owner can act. */
export const toChipTone = (status: Order['status'], isPartlyFilled: boolean): ChipTone => {
  if (status === 'fulfilled') return 'ok'
  if (status === 'presignaturePending') return 'act'
  if (status === 'open') return isPartlyFilled ? 'live' : 'waiting'
  return 'ended'
}
