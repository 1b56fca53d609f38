import type { components } from '../../api/openapi.d.ts'
import { Chip } from '../../ui/elements/Chip.tsx'
import { describeStatus } from './describeState.ts'
import { toChipTone } from './toChipTone.ts'

type Status = components['schemas']['Order']['status']

/** State of an order as a word, a colour and an icon. */
export const StatusBadge = ({ status, isPartlyFilled }: { status: Status; isPartlyFilled: boolean }) => (
  <Chip tone={toChipTone(status, isPartlyFilled)}>{describeStatus(status, isPartlyFilled)}</Chip>
)
