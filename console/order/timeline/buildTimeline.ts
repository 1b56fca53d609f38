import { buildLanes, type Lane } from './buildLanes.ts'
import { computeEnd, computeTimes, type Entry, type TimedEvents, type TimelineFacts } from './computeTimes.ts'

export type Timeline = {
  /** from creation to the end of the order or now, Unix milliseconds */
  from: number
  to: number
  /** from the auction to the newest trade; null without trades */
  fill: { from: number; to: number } | null
  /** oldest first */
  entries: Entry[]
  lanes: Lane[]
}

/** Assumed time between an auction and its trade when the auction's time is unknown. */
const usualFillMs = 10_000

/** All events of an order on one time axis: as a list and as lanes of the chart. */
export const buildTimeline = (facts: TimelineFacts): Timeline => {
  const timed = computeTimes(facts)
  const entries = sortEntries([
    ...toSteps(facts),
    ...timed.auctions,
    ...timed.attempts,
    ...timed.trades,
    ...toNotifications(facts),
  ])
  const from = Date.parse(facts.order.creationDate)
  const to = Math.max(computeEnd(facts, timed), ...lastTimes(entries), from + 1_000)
  return {
    from,
    to,
    fill: findFill(timed),
    entries: mergeAuctions(entries),
    lanes: buildLanes(facts, timed, { from, to }),
  }
}

/** Labels that the report covers in more detail. */
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

const toNotifications = ({ notifications }: TimelineFacts): Entry[] =>
  notifications.map((one) => ({ kind: 'notification', ...one }))

/** Order of entries with equal times. */
const kindOrder: Entry['kind'][] = ['step', 'auctions', 'auction', 'attempt', 'trade', 'notification']

const sortEntries = (entries: Entry[]): Entry[] =>
  entries.toSorted((a, b) => a.time - b.time || kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind))

const lastTimes = (entries: readonly Entry[]): number[] => entries.slice(-1).map(({ time }) => time)

/** Merges consecutive auctions without a win into one entry, so that the list stays short. */
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

const findFill = ({ auctions, trades }: TimedEvents): Timeline['fill'] => {
  const trade = trades[0]
  if (!trade) return null
  const auction = auctions.findLast(({ winner, time }) => winner && time <= trade.time)
  return { from: auction?.time ?? trade.time - usualFillMs, to: trade.time }
}
