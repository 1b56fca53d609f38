import type { Step } from './timelineFacts.ts'

/** Times at which auctions were decided, by auction, from the order's events. */
export const findAuctionTimes = (steps: readonly Step[]): Map<number, number> =>
  new Map(
    steps.flatMap(({ label, auctionId, timestamp }): [number, number][] =>
      typeof auctionId === 'number' && (label === 'executing' || label === 'considered')
        ? [[auctionId, Date.parse(timestamp)]]
        : [],
    ),
  )
