import type { Order } from '../loading/loadOrder.ts'
import { computeFilledShare } from './computeFilledShare.ts'

/** Texts for the state of an order; all pages use them. */
export type OrderState = {
  /** short text for the API status */
  status: string
  /** heading of the traded amounts; null without a trade */
  result: string | null
  /** an auction may still trade it */
  isOpen: boolean
  /** action available on the trade page; null without one */
  action: string | null
}

const statuses: Record<Order['status'], string> = {
  presignaturePending: 'Needs on-chain signature',
  open: 'Open',
  fulfilled: 'Filled',
  cancelled: 'Cancelled',
  expired: 'Expired',
}

/** The status of an order in words. */
export const describeStatus = (status: Order['status'], isPartlyFilled: boolean): string =>
  isPartlyFilled && status === 'open'
    ? 'Partially filled'
    : isPartlyFilled && status !== 'fulfilled'
      ? `${statuses[status]}, partially filled`
      : statuses[status]

/** Part of the order is traded, but not all. */
export const isPartlyFilled = (order: Order): boolean =>
  order.status !== 'fulfilled' && computeFilledShare(order).filled > 0n

/** State of an order in the words of all pages. */
export const describeState = (order: Order): OrderState => {
  const isPartly = isPartlyFilled(order)
  const isOpen = order.status === 'open' || order.status === 'presignaturePending'
  return {
    status: describeStatus(order.status, isPartly),
    result: order.status === 'fulfilled' ? 'Filled' : !isPartly ? null : isOpen ? 'Filled so far' : 'Partially filled',
    isOpen,
    action: !isOpen ? null : order.onchainUser !== undefined ? 'Follow order' : 'Follow or cancel',
  }
}
