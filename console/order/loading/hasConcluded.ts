import type { Order } from './loadOrder.ts'

/** Longest wait for the event of an expiry: an order that was never signed on-chain has none. */
const expiryLogMs = 5 * 60_000

/**
 * Returns true for an order that has ended and whose log has the end: it expires by the clock, its event
 * follows with a block.
 * @param log undefined: not available
 * @param now Unix milliseconds
 */
export const hasConcluded = (order: Order, log: readonly { label: string }[] | undefined, now: number): boolean => {
  switch (order.status) {
    case 'open':
    case 'presignaturePending':
      return false
    case 'expired': {
      const validTo = order.ethflowData?.userValidTo ?? order.validTo
      return now - validTo * 1_000 > expiryLogMs || (log?.some(({ label }) => label === 'expired') ?? false)
    }
    default:
      return true
  }
}
