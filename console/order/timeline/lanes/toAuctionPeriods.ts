import type { Step } from '../times/timelineFacts.ts'
import type { Mark } from './toPoint.ts'

/** Periods of an order in the auctions; lost auctions do not end one. */
export const toAuctionPeriods = (steps: readonly Step[], end: number): Mark[] => {
  const periods: Mark[] = []
  let since: number | undefined
  const close = (to: number) => {
    if (since !== undefined && to > since) {
      periods.push({ from: since, to, tone: 'info', label: 'in the auctions', count: 1 })
    }
    since = undefined
  }
  for (const { label, timestamp } of steps) {
    if (label === 'ready') since ??= Date.parse(timestamp)
    else if (label !== 'considered' && label !== 'undone') close(Date.parse(timestamp))
  }
  close(end)
  return periods
}
