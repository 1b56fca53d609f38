import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import type { Auction } from '../auction.ts'
import { buildCompetitionRecord } from './buildCompetitionRecord.ts'
import type { RankedSolution } from './pickWinners.ts'

const [won, lost, unfair, justInTime]: Hex[] = ['01', '02', '03', '04'].map((byte): Hex => `0x${byte.repeat(56)}`)
if (!won || !lost || !unfair || !justInTime) throw new Error('no orders')
const solver: Address = `0x${'aa'.repeat(20)}`

const auction: Auction = {
  ...{ id: 5, block: 100, content: '', body: { orders: [], prices: {} } },
  orders: new Map([won, lost, unfair].map((uid) => [uid, {} as never])),
  feePolicies: new Map([won, justInTime].map((uid) => [uid, [{ kind: 'volume', factor: 0.01 }]])),
  ...{ solvable: new Map(), quotes: new Map(), prices: new Map(), proven: new Set(), required: new Map() },
  ...{ certainty: new Map(), funds: new Map() },
}

const solution = (uids: Hex[], place: Partial<RankedSolution> = {}): RankedSolution => ({
  ...{
    solver,
    solutionId: 1,
    score: 1n,
    referenceScore: null,
    isWinner: false,
    yielded: undefined,
    filteredOut: false,
    filteredBy: [],
  },
  ...{ pairScores: new Map(), protocolFees: new Map(), orders: new Map(uids.map((uid) => [uid, {} as never])) },
  ...place,
})

const record = buildCompetitionRecord(
  auction,
  [
    solution([won, justInTime], { isWinner: true }),
    solution([won, lost, justInTime]),
    solution([unfair], { filteredOut: true }),
  ],
  { startBlock: 101, deadlineBlock: 110, deadlines: new Map(), leftOut: [], prices: {}, provenPrices: {} },
)

test('an order of a winning solution is executing, and one of another fair solution is considered', () => {
  expect(record.transitions).toEqual([
    { uid: won, label: 'executing', reason: null },
    { uid: lost, label: 'considered', reason: null },
  ])
})

test('just-in-time orders are part of their solutions only', () => {
  expect(record.winningOrders).toEqual([won])
  expect(record.feePolicies.map(({ orderUid }) => orderUid)).toEqual([won])
  expect(record.solutionOrders.map(({ orderUid }) => orderUid)).toContain(justInTime)
})
