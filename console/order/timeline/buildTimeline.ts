import { buildLanes, type Lane } from './lanes/buildLanes.ts'
import { mergeAuctions } from './mergeAuctions.ts'
import { computeEnd } from './times/computeEnd.ts'
import { computeTimes } from './times/computeTimes.ts'
import type { Entry, TimedEvents, TimelineFacts } from './times/timelineFacts.ts'
import type { TimelineSpan } from './view.ts'

export type Timeline = TimelineSpan & {
  /** oldest first */
  entries: Entry[]
  lanes: Lane[]
}

/** Assumed time between an auction and its trade when the auction's time is unknown. */
const usualFillMs = 10_000

/** All events of an order on one time axis: as a list and as lanes of the chart. */
export const buildTimeline = (facts: TimelineFacts): Timeline => {
  const timed = computeTimes(facts)
  const notifications = facts.notifications.map((one): Entry => ({ kind: 'notification', ...one }))
  const entries = [...toSteps(facts), ...timed.auctions, ...timed.attempts, ...timed.trades, ...notifications].toSorted(
    (a, b) => a.time - b.time || kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind),
  )
  const from = Date.parse(facts.order.creationDate)
  const to = Math.max(computeEnd(facts, timed), entries.at(-1)?.time ?? from, from + 1_000)
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
    const hooks = step.hooks ?? data?.hooks
    if (label === 'traded' && hooks)
      return [{ kind: 'step', time: Date.parse(timestamp), label: 'hooks', reason, auctionId, data: { hooks } }]
    if (isAgain || (report && judged.has(label)) || (label === 'traded' && trades.length > 0)) return []
    return [{ kind: 'step', time: Date.parse(timestamp), label, reason, auctionId, data }]
  })
}

/** Order of entries with equal times. */
const kindOrder: Entry['kind'][] = ['step', 'auctions', 'auction', 'attempt', 'trade', 'notification']

const findFill = ({ auctions, trades }: TimedEvents): Timeline['fill'] => {
  const trade = trades[0]
  if (!trade) return null
  const auction = auctions.findLast(({ winner, time }) => winner && time <= trade.time)
  return { from: auction?.time ?? trade.time - usualFillMs, to: trade.time }
}
