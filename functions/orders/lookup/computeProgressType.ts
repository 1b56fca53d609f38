import type { ProgressLabel } from '#schema/queries/events/progressEvents.ts'
import type { OrderStatus } from '#shared/orders/computeOrderStatus.ts'

export const progressTypes = [
  'open',
  'scheduled',
  'active',
  'solved',
  'executing',
  'traded',
  'cancelled',
  'expired',
] as const
export type ProgressType = (typeof progressTypes)[number]

const typeOfLabel: Record<ProgressLabel, ProgressType> = {
  created: 'scheduled',
  ready: 'active',
  filtered: 'open',
  invalid: 'open',
  considered: 'solved',
  executing: 'executing',
  traded: 'traded',
  cancelled: 'cancelled',
}

/** Progress of an order: by its newest event, unless it has a trade, or has expired without a settlement in flight. */
export const computeProgressType = (newestEvent: ProgressLabel, traded: boolean, status: OrderStatus): ProgressType => {
  if (traded) return 'traded'
  return status === 'expired' && newestEvent !== 'executing' ? 'expired' : typeOfLabel[newestEvent]
}
