import { describe, expect, it } from 'vitest'
import {
  at,
  hash,
  sampleAuction,
  sampleOrder,
  sampleReport,
  sampleSolution,
  sampleTrade,
  solver,
  start,
} from '../../testing/sampleOrder.ts'
import { buildTimeline } from './buildTimeline.ts'
import type { Lane } from './lanes/buildLanes.ts'
import { clusterMarks } from './lanes/clusterMarks.ts'
import type { Entry, Step, TimelineFacts } from './times/timelineFacts.ts'

const step = (seconds: number, label: string, more: Partial<Step> = {}): Step => ({
  timestamp: at(seconds),
  label,
  ...more,
})

const build = (changes: Partial<TimelineFacts>) =>
  buildTimeline({
    order: sampleOrder(),
    report: null,
    steps: [],
    trades: [],
    notifications: [],
    now: start + 60_000,
    blockTimeSeconds: 12,
    ...changes,
  })

const summarize = (entry: Entry): string => {
  const seconds = (entry.time - start) / 1_000
  const about = entry.isAbout ? '~' : ''
  switch (entry.kind) {
    case 'step':
      return `${about}${seconds} ${entry.label}${entry.reason ? ` ${entry.reason}` : ''}`
    case 'auction':
      return `${about}${seconds} auction ${entry.id} ${entry.winner ? 'won' : 'lost'}`
    case 'auctions':
      return `${about}${seconds} auctions ${entry.first}-${entry.last} (${entry.count})`
    case 'attempt':
      return `${seconds} attempt ${entry.outcome ?? 'running'}`
    case 'trade':
      return `${about}${seconds} trade ${entry.trade.logIndex}`
    case 'notification':
      return `${seconds} notification ${entry.type}`
  }
}
const laneOf = (lanes: Lane[], name: string) =>
  lanes
    .find((lane) => lane.name === name)
    ?.marks.map(({ from, to, tone }) => `${(from - start) / 1_000}-${(to - start) / 1_000} ${tone}`)

const won = sampleAuction(7, {
  proposedSolutions: [sampleSolution(0, { isWinner: true }), sampleSolution(1)],
  settlementAttempts: [
    {
      solver,
      solutionUid: 0,
      startTimestamp: at(5),
      endTimestamp: at(9),
      startBlock: 100,
      endBlock: 102,
      deadlineBlock: 105,
      outcome: 'success',
    },
    { solver, solutionUid: 2, startTimestamp: at(5), startBlock: 100, deadlineBlock: 105 },
  ],
})
const filledOrder = sampleOrder({ status: 'fulfilled', executedBuyAmount: '2512300000' })
const filledSteps = [
  step(0, 'created'),
  step(2, 'ready', { auctionId: 7 }),
  step(5, 'executing', { auctionId: 7 }),
  step(9, 'traded', {
    blockNumber: 102,
    trade: { transactionHash: hash, logIndex: 3, sellAmount: '1', buyAmount: '1', feeAmount: '0', executedFee: '0' },
  }),
]

describe('buildTimeline', () => {
  it('lists a plain fill from creation to notification', () => {
    const timeline = build({
      order: filledOrder,
      report: sampleReport({ auctions: [won] }),
      steps: filledSteps,
      trades: [sampleTrade()],
      notifications: [{ id: 1, type: 'order_filled', message: null, time: start + 9_000 }],
    })
    expect(timeline.entries.map(summarize)).toEqual([
      '0 created',
      '2 ready',
      '5 auction 7 won',
      '5 attempt success',
      '9 trade 3',
      '9 notification order_filled',
    ])
    expect([timeline.from, timeline.to, timeline.fill]).toEqual([
      start,
      start + 9_000,
      { from: start + 5_000, to: start + 9_000 },
    ])
    expect(laneOf(timeline.lanes, 'Order')).toEqual(['0-9 plain', '0-0 info', '2-2 info'])
    expect(laneOf(timeline.lanes, 'In the auctions')).toEqual(['2-5 info'])
    expect(laneOf(timeline.lanes, 'Settling')).toEqual(['5-9 good'])
    expect(laneOf(timeline.lanes, 'Trades')).toEqual(['9-9 good'])
    expect(laneOf(timeline.lanes, 'Notifications')).toEqual(['9-9 info'])
  })

  it('uses the stream when there is no report', () => {
    const { entries } = build({ order: filledOrder, steps: filledSteps, trades: [sampleTrade()] })
    expect(entries.map(summarize)).toEqual(['0 created', '2 ready', '5 executing', '9 trade 3'])
  })

  it('without the stream, finds times of trades by their order, else by their blocks', () => {
    const plain = [step(0, 'created'), step(9, 'traded')]
    const report = sampleReport({ auctions: [won] })
    const trades = [sampleTrade()]
    expect(build({ order: filledOrder, report, steps: plain, trades }).entries.map(summarize)).toContain('9 trade 3')
    const more = [sampleTrade({ blockNumber: 104, logIndex: 9 }), sampleTrade()]
    expect(build({ order: filledOrder, report, steps: plain, trades: more }).entries.map(summarize).slice(-2)).toEqual([
      '~9 trade 3',
      '~33 trade 9',
    ])
  })

  it('shows a failed attempt and the return to the auctions', () => {
    const failed = sampleAuction(3, {
      proposedSolutions: [sampleSolution(0, { isWinner: true })],
      settlementAttempts: [
        {
          solver,
          solutionUid: 0,
          startTimestamp: at(5),
          endTimestamp: at(30),
          startBlock: 100,
          endBlock: 105,
          deadlineBlock: 105,
          outcome: 'timeout',
        },
      ],
    })
    const steps = [
      step(0, 'created'),
      step(2, 'ready', { auctionId: 3 }),
      step(5, 'executing', { auctionId: 3 }),
      step(31, 'ready', { auctionId: 5 }),
    ]
    const timeline = build({ report: sampleReport({ auctions: [failed] }), steps })
    expect(timeline.entries.map(summarize)).toEqual([
      '0 created',
      '2 ready',
      '5 auction 3 won',
      '5 attempt timeout',
      '31 ready',
    ])
    expect(laneOf(timeline.lanes, 'In the auctions')).toEqual(['2-5 info', '31-60 info'])
    expect(laneOf(timeline.lanes, 'Settling')).toEqual(['5-30 bad'])
    expect(timeline.to).toBe(start + 60_000)
  })

  it('ends an expired order at its expiry and shows why it was excluded', () => {
    const steps = [step(0, 'created'), step(3, 'filtered', { reason: 'out_of_market' }), step(1_805, 'expired')]
    const timeline = build({ order: sampleOrder({ status: 'expired' }), steps, now: start + 9_000_000 })
    expect(timeline.entries.map(summarize)).toEqual(['0 created', '3 filtered out_of_market', '1805 expired'])
    expect(laneOf(timeline.lanes, 'Order')?.at(-1)).toBe('1805-1805 plain')
    expect(timeline.to).toBe(start + 1_805_000)
    expect(laneOf(timeline.lanes, 'Order')?.[0]).toBe('0-1800 plain')
  })

  it('shows ten thousand auctions as one row and a few marks', () => {
    const count = 10_000
    const auctions = Array.from({ length: count }, (_, i) => sampleAuction(i + 1, { block: 100 + i }))
    const steps = [
      step(0, 'created'),
      ...auctions.flatMap(({ id }) => [
        step(id * 12, 'ready', { auctionId: id }),
        step(id * 12 + 5, 'considered', { auctionId: id }),
      ]),
    ]
    const timeline = build({ report: sampleReport({ auctions }), steps, now: start + count * 12_000 + 60_000 })
    expect(timeline.entries.map(summarize)).toEqual(['0 created', '12 ready', `17 auctions 1-${count} (${count})`])
    for (const { marks, noun } of timeline.lanes) expect(clusterMarks(marks, timeline, noun).length).toBeLessThan(60)
    const solutions = timeline.lanes.find(({ name }) => name === 'Solutions')
    const drawn = clusterMarks(solutions?.marks ?? [], timeline, 'auctions')
    expect(drawn.reduce((sum, mark) => sum + mark.count, 0)).toBe(count)
  })
})

describe('clusterMarks', () => {
  const mark = (from: number, to = from, tone: 'info' | 'bad' = 'info') => ({
    from,
    to,
    tone,
    label: `at ${from}`,
    count: 1,
  })

  it('merges near marks in the most important tone and omits invisible ones', () => {
    expect(clusterMarks([mark(5), mark(6, 6, 'bad'), mark(50), mark(150)], { from: 0, to: 100 }, 'steps', 10)).toEqual([
      { from: 5, to: 6, tone: 'bad', label: '2 steps', count: 2, start: 0.05, end: 0.06 },
      { from: 50, to: 50, tone: 'info', label: 'at 50', count: 1, start: 0.5, end: 0.5 },
    ])
  })

  it('retains long bars, cut at the edges', () => {
    expect(clusterMarks([mark(-50, 50)], { from: 0, to: 100 }, 'bars', 10)).toMatchObject([
      { start: 0, end: 0.5, count: 1 },
    ])
  })
})
