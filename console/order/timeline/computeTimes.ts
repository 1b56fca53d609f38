import type { DebugReport, Order, OrderEvent, Trade } from '../loading/loadOrder.ts'
import { type BlockTime, buildBlockClock } from './buildBlockClock.ts'

/** An event of an order, from the stream or, with fewer fields, from the debug report. */
export type Step = Pick<OrderEvent, 'timestamp'> & { label: string; reason?: string | null } & Partial<
    Pick<OrderEvent, 'auctionId' | 'blockNumber' | 'data' | 'trade' | 'notifications'>
  >

/** A notification of the account; `message` is null while its text is not loaded. */
export type OrderNotification = { id: number; type: string; message: string | null; time: number }

export type TimelineFacts = {
  order: Order
  report: DebugReport | null
  /** oldest first */
  steps: readonly Step[]
  /** newest first */
  trades: readonly Trade[]
  notifications: readonly OrderNotification[]
  /** Unix milliseconds */
  now: number
  blockTimeSeconds: number
}

/** An entry at `time`, Unix milliseconds; `isAbout`: estimated from its block. */
export type Entry = { time: number; isAbout?: boolean } & (
  | {
      kind: 'step'
      label: string
      reason: string | null
      auctionId: number | null
      data: Record<string, unknown> | null
    }
  | { kind: 'auction'; id: number; solutions: number; winner: { solver: string; score: string } | null }
  /** consecutive auctions in which solvers proposed to fill the order, but other solutions won */
  | { kind: 'auctions'; first: number; last: number; count: number; until: number }
  | { kind: 'attempt'; auctionId: number; solver: string; until: number | null; outcome: string | null }
  | { kind: 'trade'; trade: Trade }
  | ({ kind: 'notification' } & OrderNotification)
)

export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>

export type TimedEvents = { auctions: EntryOf<'auction'>[]; attempts: EntryOf<'attempt'>[]; trades: EntryOf<'trade'>[] }

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

const findKnownTimes = ({ steps, report }: TimelineFacts): BlockTime[] => {
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

/** Times at which auctions were decided, by auction, from the order's events. */
const findAuctionTimes = (steps: readonly Step[]): Map<number, number> =>
  new Map(
    steps.flatMap(({ label, auctionId, timestamp }): [number, number][] =>
      typeof auctionId === 'number' && (label === 'executing' || label === 'considered')
        ? [[auctionId, Date.parse(timestamp)]]
        : [],
    ),
  )

const toTradeKey = (hash: string, logIndex: number): string => `${hash} ${logIndex}`

/** Times of trades. Events of the stream name their trade; those of the report do not, but are in the same order. */
const findTradeTimes = ({ steps, trades }: TimelineFacts): Map<string, number> => {
  const traded = steps.filter(({ label }) => label === 'traded')
  const named = traded.flatMap(({ trade, timestamp }): [string, number][] =>
    trade ? [[toTradeKey(trade.transactionHash, trade.logIndex), Date.parse(timestamp)]] : [],
  )
  if (named.length > 0 || traded.length !== trades.length) return new Map(named)
  return new Map(
    trades
      .toReversed()
      .map(({ txHash, logIndex }, i) => [toTradeKey(txHash, logIndex), Date.parse(traded[i]?.timestamp ?? '')]),
  )
}

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
