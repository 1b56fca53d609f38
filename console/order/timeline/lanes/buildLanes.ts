import { formatSnakeCase } from '../../../ui/formatSnakeCase.ts'
import { describeState } from '../../state/describeState.ts'
import { computeEnd } from '../times/computeEnd.ts'
import type { EntryOf, TimedEvents, TimelineFacts } from '../times/timelineFacts.ts'
import { toAuctionPeriods } from './toAuctionPeriods.ts'
import { type Mark, toPoint } from './toPoint.ts'
import { toStepMarks } from './toStepMarks.ts'

export type Lane = { name: string; noun: string; marks: Mark[] }

/** Lanes of the chart, from the order itself to its notifications. */
export const buildLanes = (facts: TimelineFacts, timed: TimedEvents, life: { from: number; to: number }): Lane[] => {
  const end = computeEnd(facts, timed)
  return [
    { name: 'Order', noun: 'steps', marks: [toLife(facts, life.from, end), ...toStepMarks(facts.steps)] },
    { name: 'In the auctions', noun: 'periods', marks: toAuctionPeriods(facts.steps, end) },
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
      name: 'Notifications',
      noun: 'notifications',
      marks: facts.notifications.map(({ time, type }) => toPoint(time, 'info', formatSnakeCase(type))),
    },
  ]
}

const toLife = ({ order }: TimelineFacts, from: number, to: number): Mark => ({
  from,
  to: Math.max(from, to),
  tone: 'plain',
  label: describeState(order).status.toLowerCase(),
  count: 1,
})

const toAttemptMark = ({ time, until, outcome, auctionId }: EntryOf<'attempt'>, now: number): Mark => ({
  from: time,
  to: Math.max(until ?? now, time),
  tone: outcome === null ? 'info' : outcome === 'success' ? 'good' : 'bad',
  label: `auction ${auctionId}: ${outcome ?? 'running'}`,
  count: 1,
})
