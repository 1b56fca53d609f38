import type { Address, Hex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { networks } from '#shared/networks.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { answering, quotingAt, type RunningSolver, startSolver } from '#test/helpers/solvers/startSolver.ts'
import { createFirstWaits, type FirstWaits } from './createFirstWaits.ts'
import { findOffers, type OfferCache, offersPerCut } from './findOffers.ts'

const { sellToken, buyToken } = filledOrder
const values = { [sellToken]: 3n, [buyToken]: 1n }

let cache: OfferCache
let waits: FirstWaits
let clock: number
let background: Promise<unknown>[]
const running: RunningSolver[] = []

beforeEach(() => {
  cache = new Map()
  waits = createFirstWaits(() => clock)
  clock = 1_000_000
  background = []
})
afterEach(async () => {
  await Promise.all(background)
  await Promise.all(running.splice(0).map(({ stop }) => stop()))
})

const start = async (listener: Parameters<typeof startSolver>[1]) => {
  const solver = await startSolver(`solver${running.length}`, listener)
  running.push(solver)
  return solver
}
const find = async (candidates: readonly Candidate[]) => (await findAll(candidates)).offers
const findAll = (candidates: readonly Candidate[]) =>
  findOffers(
    {
      network: networks.sepolia,
      solvers: running.map(({ solver }) => solver),
      now: () => clock,
      log: () => undefined,
      background: (work) => background.push(work),
    },
    cache,
    waits,
    candidates,
  )
const settle = () => Promise.all(background.splice(0))
const uidOf = (seed: number): Hex => `0x${seed.toString(16).padStart(112, '0')}`
const place = (seed: number, sellAmount: bigint, changes: Partial<Candidate['order']> = {}) =>
  ({
    order: {
      ...filledOrder,
      ...{ executedSellAmount: 0n, executedBuyAmount: 0n, executedFeeAmount: 0n, sellAmount },
      ...{ uid: uidOf(seed), ...changes },
    },
  }) as unknown as Candidate
const amountsOf = ({ asked }: RunningSolver) => asked.map(({ searchParams }) => searchParams.get('amount'))

test('orders of a pair share the offer for the power of ten below their amount, also of dust orders', async () => {
  const solver = await start(quotingAt(values))
  const orders = [place(1, 1n), place(2, 12_345n), place(3, 99_999n), place(4, 100_000n)]
  const offers = await find(orders)
  expect(amountsOf(solver).toSorted()).toEqual(['1', '10000', '100000'])
  expect(offers.get(uidOf(3))).toMatchObject({ sellAmount: 10_000n, buyAmount: 30_000n })
  expect(offers.get(uidOf(4))).toMatchObject({ sellAmount: 100_000n, buyAmount: 300_000n })
  await find(orders)
  expect(solver.asked).toHaveLength(3)
})

test('an offer of a few atoms, which rounding may halve, judges no order', async () => {
  await start(quotingAt({ [sellToken]: 19n, [buyToken]: 1_000n }))
  const offers = await find([place(1, 100n), place(2, 100_000n), place(3, 50n, { kind: 'buy', buyAmount: 10n })])
  expect([...offers.keys()]).toEqual([uidOf(2)])
})

test('a partially fillable order is judged by a hundredth, a buy order by what it buys', async () => {
  const solver = await start(quotingAt(values))
  await find([place(1, 500_000n, { partiallyFillable: true }), place(2, 9n, { kind: 'buy', buyAmount: 700n })])
  expect(solver.asked.map(({ searchParams }) => [searchParams.get('kind'), searchParams.get('amount')])).toEqual(
    expect.arrayContaining([
      ['sell', '1000'],
      ['buy', '100'],
    ]),
  )
})

test('the best offer counts, so that no solver alone excludes an order', async () => {
  await start(quotingAt({ [sellToken]: 1n, [buyToken]: 1_000_000n }))
  await start(quotingAt(values))
  await start(answering('oops', 500))
  expect((await find([place(1, 100n)])).get(uidOf(1))).toMatchObject({ sellAmount: 100n, buyAmount: 300n })
})

test.each([
  ['without a route', quotingAt({})],
  ['that fails', answering('oops', 500)],
  ['that is slow', quotingAt(values, { afterMs: 1_500 })],
])('an order is not judged by a solver %s', async (_, listener) => {
  await start(listener)
  expect((await find([place(1, 100n)])).size).toBe(0)
})

test('an order is pending while its first request has no response, and judged in the next cut', async () => {
  const gate = Promise.withResolvers<void>()
  await start((request, response) => void gate.promise.then(() => quotingAt(values)(request, response)))
  const orders = [place(1, 100n)]
  const first = await findAll(orders)
  expect(first).toEqual({ offers: new Map(), pending: new Set([uidOf(1)]) })
  gate.resolve()
  await settle()
  const next = await findAll(orders)
  expect([next.offers.size, next.pending.size]).toEqual([1, 0])
})

test('an offer is refreshed after a minute and outlives an outage for a quarter of an hour', async () => {
  await start(quotingAt(values))
  const orders = [place(1, 100n)]
  const known = await find(orders)
  expect(known.size).toBe(1)
  await running.pop()?.stop()
  const silent = await start(answering('oops', 500))
  clock += 59_999
  await find(orders)
  expect(silent.asked).toHaveLength(0)
  clock += 1
  expect(await find(orders)).toEqual(known)
  await settle()
  expect(silent.asked).toHaveLength(1)
  clock += 900_000
  expect((await find(orders)).size).toBe(0)
})

test('a cut requests a bounded number of offers, in turn, however many orders there are', async () => {
  const solver = await start(quotingAt(values))
  const tokens = Array.from({ length: 40 }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`)
  const orders = tokens.map((token, i) => place(i, 100n, { buyToken: token }))
  for (const requested of [16, 32, 40]) {
    await find(orders)
    await settle()
    expect(solver.asked).toHaveLength(requested)
    clock += 1
  }
  expect(new Set(solver.asked.map(({ searchParams }) => searchParams.get('buyToken'))).size).toBe(40)
  expect(offersPerCut).toBe(16)
})

test('amounts that are new in each cut leave half of the requests to those that are due again', async () => {
  const solver = await start(quotingAt(values))
  const honest = place(1_000, 1_000n)
  await find([honest])
  await settle()
  clock += 61_000
  const fresh = Array.from({ length: 16 }, (_, i) =>
    place(i, 100n, { buyToken: `0x${(i + 1).toString(16).padStart(40, '0')}` }),
  )
  await find([...fresh, honest])
  await settle()
  expect(solver.asked.filter(({ searchParams }) => searchParams.get('buyToken') === buyToken)).toHaveLength(2)
})

test('remembers a bounded number of offers, those wanted last', async () => {
  const listed = (from: number) =>
    Array.from({ length: 4_000 }, (_, i) =>
      place(from + i, 1_000n, { buyToken: `0x${(from + i).toString(16).padStart(40, '0')}` }),
    )
  for (const from of [1, 5_001, 10_001]) await find(listed(from))
  expect(cache.size).toBe(10_000)
  const keys = [...cache.keys()].join()
  expect(keys).toContain((14_000).toString(16).padStart(40, '0'))
  expect(keys).not.toContain((1).toString(16).padStart(40, '0'))
  await settle()
})
