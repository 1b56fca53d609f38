import { describeState } from '../state/describeState.ts'
import { computeEnd, type EntryOf, type Step, type TimedEvents, type TimelineFacts } from './computeTimes.ts'

export type Tone = 'plain' | 'info' | 'good' | 'warn' | 'bad'

/** A mark in a lane: a point when `from` equals `to`, else a bar. */
export type Mark = { from: number; to: number; tone: Tone; label: string; count: number }

export type Lane = { name: string; noun: string; marks: Mark[] }

export const buildLanes = (facts: TimelineFacts, timed: TimedEvents, life: { from: number; to: number }): Lane[] => {
  const end = computeEnd(facts, timed)
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
      name: 'Notifications',
      noun: 'notifications',
      marks: facts.notifications.map(({ time, type }) => toPoint(time, 'info', toWords(type))),
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

/** Periods in the auctions. An order whose solutions lost stays in. */
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
