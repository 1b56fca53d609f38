import type { DebugReport } from '../../loading/loadOrder.ts'
import { buildBlockClock } from './buildBlockClock.ts'
import { findAuctionTimes } from './findAuctionTimes.ts'
import { findKnownTimes } from './findKnownTimes.ts'
import { findTradeTimes, toTradeKey } from './findTradeTimes.ts'
import type { EntryOf, TimedEvents, TimelineFacts } from './timelineFacts.ts'

/** Auctions, settlement attempts and trades with their times; a time unknown to the API is estimated from the block. */
export const computeTimes = (facts: TimelineFacts): TimedEvents => {
  const clock = buildBlockClock(findKnownTimes(facts), facts.blockTimeSeconds * 1_000)
  const created = Date.parse(facts.order.creationDate)
  const latest = Math.max(facts.now, created)
  const about = (block: number) => ({
    time: Math.min(Math.max(clock(block) ?? created, created), latest),
    isAbout: true,
  })
  const stepTimes = findAuctionTimes(facts.steps)
  const tradeTimes = findTradeTimes(facts)
  const auctions = facts.report?.auctions ?? []
  return {
    auctions: auctions.map((auction) => {
      const start = auction.settlementAttempts[0]?.startTimestamp
      const time = start === undefined ? stepTimes.get(auction.id) : Date.parse(start)
      const winner = auction.proposedSolutions.find(({ isWinner }) => isWinner)
      return {
        kind: 'auction',
        ...(time === undefined ? about(auction.block) : { time }),
        id: auction.id,
        solutions: auction.proposedSolutions.length,
        winner: winner ? { solver: winner.solver, score: winner.score } : null,
      }
    }),
    attempts: auctions.flatMap(toOwnAttempts),
    trades: facts.trades.map((trade) => {
      const time = tradeTimes.get(toTradeKey(trade.txHash, trade.logIndex))
      return { kind: 'trade', ...(time === undefined ? about(trade.blockNumber) : { time }), trade }
    }),
  }
}

type Auction = DebugReport['auctions'][number]

/** Settlement attempts for this order; the report lists those of every winner of the auction. */
const toOwnAttempts = ({ id, proposedSolutions, settlementAttempts }: Auction): EntryOf<'attempt'>[] => {
  const own = new Set(proposedSolutions.map(({ solutionUid }) => solutionUid))
  return settlementAttempts
    .filter(({ solutionUid }) => own.has(solutionUid))
    .map(({ solver, startTimestamp, endTimestamp, outcome }) => ({
      kind: 'attempt',
      time: Date.parse(startTimestamp),
      auctionId: id,
      solver,
      until: endTimestamp === undefined ? null : Date.parse(endTimestamp),
      outcome: outcome ?? null,
    }))
}
