import type { components } from '../../api/openapi.d.ts'
import { describeStatus } from './describeState.ts'

type Status = components['schemas']['Order']['status']

/** State of an order as a word and a colour. */
export const StatusBadge = ({ status, isPartlyFilled }: { status: Status; isPartlyFilled: boolean }) => (
  <span class={`badge ${status}`}>{describeStatus(status, isPartlyFilled)}</span>
)
