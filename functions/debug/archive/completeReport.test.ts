import { expect, test } from 'vitest'
import type { StoredDebugFacts } from '#schema/queries/debug/debugReport.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { completeReport } from './completeReport.ts'
import type { FindArchived } from './connectArchive.ts'

const solver = `0x${'50'.repeat(20)}` as const
const { uid, sellToken, buyToken } = filledOrder

/** Facts of an order that lost in these auctions, all of them archived. */
const buildFacts = (auctions: readonly { id: number; archiveKey: string }[]): StoredDebugFacts => ({
  events: [],
  auctions: auctions.map((auction) => ({
    ...auction,
    ...{ block: 1, deadlineBlock: 2, sellTokenPrice: null, buyTokenPrice: null },
  })),
  ...{ solutions: [], executions: [], attempts: [], feePolicies: [], trades: [] },
  membership: { first: null, last: null, isOpen: false },
  currentAuction: undefined,
})

const solution = { uid: 0, solver, isWinner: false, filteredOut: false, score: 5n }

/** An archive whose competitions have one solution with the order; `reads` has the ids of each read object. */
const createArchive = () => {
  const reads: Record<string, readonly number[]> = {}
  const archive: FindArchived = {
    competitions: async (key, ids) => {
      expect(reads[key]).toBeUndefined()
      reads[key] = ids
      return ids.map((id) => ({
        ...{ id, prices: { [sellToken]: '7' }, leftOut: [], feePolicies: [] },
        solutions: [{ ...solution, referenceScore: null }],
        orders: [{ solutionUid: 0, orderUid: uid, sellToken, buyToken, executedSell: 3n, executedBuy: 4n }],
      }))
    },
    events: () => Promise.reject(new Error('no event is archived')),
  }
  return { archive, reads }
}

const toFound = (id: number) => ({ auctionId: id, ...solution, executedSell: 3n, executedBuy: 4n })

test('each object is read once, whatever number of its auctions had the order', async () => {
  const { archive, reads } = createArchive()
  const auctions = [1, 2, 3, 64, 65].map((id) => ({ id, archiveKey: id < 64 ? 'a' : 'b' }))
  const { facts } = await completeReport({ order: filledOrder, facts: buildFacts(auctions) }, archive)
  expect(reads).toEqual({ a: [1, 2, 3], b: [64, 65] })
  expect(facts.solutions).toEqual([1, 2, 3, 64, 65].map(toFound))
  expect(facts.auctions.map(({ sellTokenPrice }) => sellTokenPrice)).toEqual(['7', '7', '7', '7', '7'])
})

test('an order of very many archived auctions has the solutions of the newest twenty objects and hundred auctions', async () => {
  const { archive, reads } = createArchive()
  const wide = Array.from({ length: 30 }, (_, i) => ({ id: i, archiveKey: `day ${i}` }))
  const spread = await completeReport({ order: filledOrder, facts: buildFacts(wide) }, archive)
  expect(Object.keys(reads)).toEqual(wide.slice(10).map(({ archiveKey }) => archiveKey))
  expect(spread.facts.solutions).toEqual(wide.slice(10).map(({ id }) => toFound(id)))
  expect(spread.facts.auctions).toHaveLength(30)

  const deep = createArchive()
  const many = Array.from({ length: 150 }, (_, i) => ({ id: i, archiveKey: 'one' }))
  const { facts } = await completeReport({ order: filledOrder, facts: buildFacts(many) }, deep.archive)
  expect(deep.reads.one).toHaveLength(100)
  expect(facts.solutions.map(({ auctionId }) => auctionId)).toEqual(many.slice(50).map(({ id }) => id))
})
