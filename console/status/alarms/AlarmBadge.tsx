import { Chip } from '../../ui/elements/Chip.tsx'
/** Marks an exceeded limit with a word as well as a colour. */
export const AlarmBadge = ({ limit }: { limit?: string | null | undefined }) => (
  <span class="alarm-badge">
    <Chip tone="error">alarm</Chip>
    {limit && <span class="fine"> over {limit}</span>}
  </span>
)
