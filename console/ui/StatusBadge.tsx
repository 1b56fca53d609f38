import type { components } from '../api/openapi.d.ts'

type Status = components['schemas']['Order']['status']

const labels: Record<Status, string> = {
  presignaturePending: 'Waiting for a signature on-chain',
  open: 'Open',
  fulfilled: 'Filled',
  cancelled: 'Cancelled',
  expired: 'Expired',
}

/** Where an order is, in a word and a colour. */
export const StatusBadge = ({ status, isPartlyFilled = false }: { status: Status; isPartlyFilled?: boolean }) => (
  <span class={`badge ${status}`}>
    {isPartlyFilled && status !== 'fulfilled' ? `${labels[status]}, partly filled` : labels[status]}
  </span>
)
