import type { TimedEvents, TimelineFacts } from './timelineFacts.ts'

/** End of the order, Unix milliseconds; now while it is open. */
export const computeEnd = ({ order, steps, now }: TimelineFacts, { trades }: TimedEvents): number => {
  switch (order.status) {
    case 'fulfilled':
      return trades[0]?.time ?? now
    case 'cancelled':
      return Date.parse(steps.findLast(({ label }) => label === 'cancelled')?.timestamp ?? order.creationDate)
    case 'expired':
      return (order.ethflowData?.userValidTo ?? order.validTo) * 1_000
    default:
      return now
  }
}
