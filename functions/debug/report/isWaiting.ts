import { isProgressLabel } from '#schema/queries/events/progressEvents.ts'
import { computeOrderStatus } from '#shared/orders/computeOrderStatus.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { type DiagnosisFacts, graceMs } from './diagnosisFacts.ts'

/** Returns whether an unfilled order is in the auctions, so that only the current verdict explains why it is not filled. */
export const isWaiting = (order: StoredOrder, { events, membership }: DiagnosisFacts, now: number): boolean => {
  const newest = events.findLast(({ label }) => isProgressLabel(label))
  return (
    computeOrderStatus(order, now) === 'open' &&
    membership.isOpen &&
    newest?.label === 'ready' &&
    now * 1_000 - newest.createdAt.getTime() >= graceMs
  )
}
