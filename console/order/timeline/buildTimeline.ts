import type { DebugReport, Order, OrderEvent, Trade } from '../loading/loadOrder.ts'
import { describeState } from '../state/describeState.ts'
import { type BlockTime, buildBlockClock } from './buildBlockClock.ts'

/** A step of an order's life: as the stream tells it, or, with less in it, the debug report. */
export type Step = Pick<OrderEvent, 'timestamp'> & { label: string; reason?: string | null } & Partial<
    Pick<OrderEvent, 'auctionId' | 'blockNumber' | 'data' | 'trade' | 'notifications'>
  >

/** What the account was told; `message` is null when nobody can say it now. */
export type Told = { id: number; type: string; message: string | null; time: number }

export type TimelineFacts = {
  order: Order
  report: DebugReport | null
  /** oldest first */
  steps: readonly Step[]
  /** newest first */
  trades: readonly Trade[]
  told: readonly Told[]
  /** Unix milliseconds */
  now: number
  blockTimeSeconds: number
}

/** Something that happened at `time`, Unix milliseconds; `isAbout`: only its block is known. */
export type Entry = { time: number; isAbout?: boolean } & (
  | {
      kind: 'step'
      label: string
      reason: string | null
      auctionId: number | null
      data: Record<string, unknown> | null
    }
  | { kind: 'auction'; id: number; solutions: number; winner: { solver: string; score: string } | null }
  /** auctions in a row in which solvers proposed to fill the order, and others won */
  | { kind: 'auctions'; first: number; last: number; count: number; until: number }
  | { kind: 'attempt'; auctionId: number; solver: string; until: number | null; outcome: string | null }
  | { kind: 'trade'; trade: Trade }
  | ({ kind: 'told' } & Told)
)

export type Tone = 'plain' | 'info' | 'good' | 'warn' | 'bad'

/** What is drawn in a lane: a point when `from` is `to`, else a bar. */
export type Mark = { from: number; to: number; tone: Tone; label: string; count: number }

export type Lane = { name: string; noun: string; marks: Mark[] }

export type Timeline = {
  /** the whole life, Unix milliseconds: until its end, or until now */
  from: number
  to: number
  /** from the auction to the trade, the newest one; null: nothing is filled */
  fill: { from: number; to: number } | null
  /** oldest first */
  entries: Entry[]
  lanes: Lane[]
}

/** How long before its trade an auction is assumed when nothing says. */
const usualFillMs = 10_000

/** Everything that happened to an order, on one axis of time: as a list, and as lanes to draw. */
export const buildTimeline = (facts: TimelineFacts): Timeline => {
  const timed = toTimed(facts)
  const entries = sortEntries([
    ...toSteps(facts),
    ...timed.auctions,
    ...timed.attempts,
    ...timed.trades,
    ...toTold(facts),
  ])
  const from = Date.parse(facts.order.creationDate)
  const to = Math.max(findEnd(facts, timed), ...lastTimes(entries), from + 1_000)
  return {
    from,
    to,
    fill: findFill(timed),
    entries: mergeAuctions(entries),
    lanes: buildLanes(facts, timed, { from, to }),
  }
}

type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>

type Timed = { auctions: EntryOf<'auction'>[]; attempts: EntryOf<'attempt'>[]; trades: EntryOf<'trade'>[] }

/** What the report names by blocks, with times. */
const toTimed = (facts: TimelineFacts): Timed => {
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

/** The report has the attempts of all winners of an auction. */
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

/** When the solutions of auctions were judged, as far as that changed something for the order. */
const findAuctionTimes = (steps: readonly Step[]): Map<number, number> =>
  new Map(
    steps.flatMap(({ label, auctionId, timestamp }): [number, number][] =>
      typeof auctionId === 'number' && (label === 'executing' || label === 'considered')
        ? [[auctionId, Date.parse(timestamp)]]
        : [],
    ),
  )

const toTradeKey = (hash: string, logIndex: number): string => `${hash} ${logIndex}`

/** The stream says which trade a step was; the report only that there was one, oldest first. */
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

/** Labels that say only what the report says with more in it. */
const judged = new Set(['executing', 'considered'])

const toSteps = ({ steps, report, trades }: TimelineFacts): Entry[] => {
  let isIn = false
  return steps.flatMap((step): Entry[] => {
    const { label, reason = null, timestamp, auctionId = null, data = null } = step
    const isAgain = label === 'ready' && isIn
    isIn = label === 'considered' ? isIn : label === 'ready'
    if (isAgain || (report && judged.has(label)) || (label === 'traded' && trades.length > 0)) return []
    return [{ kind: 'step', time: Date.parse(timestamp), label, reason, auctionId, data }]
  })
}

const toTold = ({ told }: TimelineFacts): Entry[] => told.map((one) => ({ kind: 'told', ...one }))

/** What happens at the same moment happens in this order. */
const kindOrder: Entry['kind'][] = ['step', 'auctions', 'auction', 'attempt', 'trade', 'told']

const sortEntries = (entries: Entry[]): Entry[] =>
  entries.toSorted((a, b) => a.time - b.time || kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind))

const lastTimes = (entries: readonly Entry[]): number[] => entries.slice(-1).map(({ time }) => time)

/** Nobody reads ten thousand lines that say the same. */
const mergeAuctions = (entries: readonly Entry[]): Entry[] => {
  const merged: Entry[] = []
  for (const entry of entries) {
    const last = merged.at(-1)
    if (entry.kind !== 'auction' || entry.winner || !last) {
      merged.push(entry)
    } else if (last.kind === 'auctions') {
      merged[merged.length - 1] = { ...last, last: entry.id, count: last.count + 1, until: entry.time }
    } else if (last.kind === 'auction' && !last.winner) {
      const { time, id: first } = last
      merged[merged.length - 1] = {
        kind: 'auctions',
        time,
        ...(last.isAbout ? { isAbout: true } : {}),
        first,
        last: entry.id,
        count: 2,
        until: entry.time,
      }
    } else {
      merged.push(entry)
    }
  }
  return merged
}

/** When the order ended; now, while it has not. */
const findEnd = ({ order, steps, now }: TimelineFacts, { trades }: Timed): number => {
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

const findFill = ({ auctions, trades }: Timed): Timeline['fill'] => {
  const trade = trades[0]
  if (!trade) return null
  const auction = auctions.findLast(({ winner, time }) => winner && time <= trade.time)
  return { from: auction?.time ?? trade.time - usualFillMs, to: trade.time }
}

const buildLanes = (facts: TimelineFacts, timed: Timed, life: { from: number; to: number }): Lane[] => {
  const end = findEnd(facts, timed)
  return [
    { name: 'Order', noun: 'steps', marks: [toLife(facts, life.from, end), ...toStepMarks(facts.steps)] },
    { name: 'In the auctions', noun: 'stretches', marks: toStretches(facts.steps, end) },
    {
      name: 'Solutions',
      noun: 'auctions with solutions',
      marks: timed.auctions.map(({ id, time, solutions }) =>
        toPoint(time, 'info', `auction ${id}: ${solutions} with the order`),
      ),
    },
    {
      name: 'Won',
      noun: 'won auctions',
      marks: timed.auctions.flatMap(({ id, time, winner }) =>
        winner ? [toPoint(time, 'good', `auction ${id}, won by ${winner.solver}`)] : [],
      ),
    },
    { name: 'Settling', noun: 'attempts', marks: timed.attempts.map((attempt) => toAttemptMark(attempt, facts.now)) },
    {
      name: 'Trades',
      noun: 'trades',
      marks: timed.trades.map(({ time, trade }) => toPoint(time, 'good', `trade in block ${trade.blockNumber}`)),
    },
    {
      name: 'Told',
      noun: 'notifications',
      marks: facts.told.map(({ time, type }) => toPoint(time, 'info', toWords(type))),
    },
  ]
}

const toPoint = (time: number, tone: Tone, label: string): Mark => ({ from: time, to: time, tone, label, count: 1 })

const toLife = ({ order }: TimelineFacts, from: number, to: number): Mark => ({
  from,
  to: Math.max(from, to),
  tone: 'plain',
  label: describeState(order).status.toLowerCase(),
  count: 1,
})

const stepTones: Record<string, Tone> = {
  created: 'info',
  ready: 'info',
  filtered: 'warn',
  invalid: 'bad',
  cancelled: 'warn',
  expired: 'bad',
  undone: 'bad',
}

const toStepMarks = (steps: readonly Step[]): Mark[] => {
  let isIn = false
  return steps.flatMap(({ label, reason, timestamp }) => {
    const isAgain = label === 'ready' && isIn
    isIn = label === 'considered' ? isIn : label === 'ready'
    const tone = stepTones[label]
    if (!tone || isAgain) return []
    return [toPoint(Date.parse(timestamp), tone, reason ? `${label}: ${toWords(reason)}` : label)]
  })
}

/** From entering the auctions until leaving them; solutions that others beat leave the order in. */
const toStretches = (steps: readonly Step[], end: number): Mark[] => {
  const stretches: Mark[] = []
  let since: number | undefined
  const close = (to: number) => {
    if (since !== undefined && to > since) {
      stretches.push({ from: since, to, tone: 'info', label: 'in the auctions', count: 1 })
    }
    since = undefined
  }
  for (const { label, timestamp } of steps) {
    if (label === 'ready') since ??= Date.parse(timestamp)
    else if (label !== 'considered' && label !== 'undone') close(Date.parse(timestamp))
  }
  close(end)
  return stretches
}

const toAttemptMark = ({ time, until, outcome, auctionId }: EntryOf<'attempt'>, now: number): Mark => ({
  from: time,
  to: Math.max(until ?? now, time),
  tone: outcome === null ? 'info' : outcome === 'success' ? 'good' : 'bad',
  label: `auction ${auctionId}: ${outcome ?? 'running'}`,
  count: 1,
})

const toWords = (name: string): string => name.replaceAll('_', ' ')
