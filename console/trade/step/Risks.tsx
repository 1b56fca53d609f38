import { Icon } from '../../ui/elements/Icon.tsx'
import type { Risk } from '../signing/findSignedRisks.ts'

/** Possible losses by signing; nothing without one. */
export const Risks = ({ risks }: { risks: readonly Risk[] }) =>
  risks.length > 0 && (
    <p class="notice warning risks">
      <Icon name="alert" /> <span>{risks.map(({ text }) => text).join(' ')}</span>
    </p>
  )
