import type { BlockTime } from './buildBlockClock.ts'
import { findAuctionTimes } from './findAuctionTimes.ts'
import type { TimelineFacts } from './timelineFacts.ts'

/** Blocks whose times the events and the report state. */
export const findKnownTimes = ({ steps, report }: TimelineFacts): BlockTime[] => {
  const stepTimes = findAuctionTimes(steps)
  const ofSteps = steps.flatMap(({ blockNumber, timestamp, label }) =>
    typeof blockNumber === 'number' && label !== 'undone' ? [{ block: blockNumber, time: Date.parse(timestamp) }] : [],
  )
  const ofAuctions = (report?.auctions ?? []).flatMap((auction): BlockTime[] => {
    const time = stepTimes.get(auction.id)
    const ofAttempts = auction.settlementAttempts.flatMap(({ startBlock, startTimestamp, endBlock, endTimestamp }) => [
      { block: startBlock, time: Date.parse(startTimestamp) },
      ...(endBlock === undefined || endTimestamp === undefined
        ? []
        : [{ block: endBlock, time: Date.parse(endTimestamp) }]),
    ])
    return time === undefined ? ofAttempts : [{ block: auction.block, time }, ...ofAttempts]
  })
  return [...ofSteps, ...ofAuctions]
}
