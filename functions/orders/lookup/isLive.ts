import { computeOrderStatus, type StatusFacts } from '#shared/orders/computeOrderStatus.ts'

/** After this time the settlement of a winner has either been mined and indexed, or is past its deadline. */
const settlingSeconds = 600

/**
 * Returns whether an order may still change: it can be filled, or it was cancelled or expired so recently that a pending
 * settlement may still fill it.
 * @param now Unix seconds
 */
export const isLive = (order: StatusFacts, now: number): boolean => {
  switch (computeOrderStatus(order, now)) {
    case 'open':
    case 'presignaturePending':
      return true
    case 'fulfilled':
      return false
    case 'expired':
      return (order.userValidTo ?? order.validTo) + settlingSeconds >= now
    case 'cancelled':
      return !order.invalidated && order.cancelledAt !== null && toSeconds(order.cancelledAt) + settlingSeconds >= now
  }
}

const toSeconds = (date: Date): number => date.getTime() / 1_000
