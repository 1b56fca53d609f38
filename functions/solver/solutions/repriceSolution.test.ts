import { expect, test } from 'vitest'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import {
  batchMarketOf,
  batchOrder,
  poolOf,
  tokenA,
  tokenB,
  tokenC,
  tokenOf,
} from '#test/helpers/solvers/batchMarket.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { buildBatches } from '../batches/buildBatches.ts'
import { computePaid } from '../fills/executed.ts'
import { type Pool, toPairKey } from '../pools/pool.ts'
import { buildPaths } from '../routing/buildPaths.ts'
import { buildDraft } from './buildDraft.ts'
import { buildSolution } from './buildSolution.ts'
import { formatDraft, parseDraft } from './formatDraft.ts'
import { repriceSolution } from './repriceSolution.ts'

const [a, b, c, wrappedNative] = [tokenA, tokenB, tokenC, tokenOf('e')]
const whole = 10n ** 12n
const tolerance = 1_000n

/** A direct pool whose price of `a` changes by millionths, and a detour through `c` that is 1 % worse. */
const buildMarket = (ppm: bigint): BatchMarket =>
  batchMarketOf(
    new Map([
      poolOf(a, b, 1_000n * whole, (1_000n * whole * (1_000_000n + ppm)) / 1_000_000n),
      poolOf(a, c, 1_000n * whole, 1_000n * whole),
      poolOf(b, c, 993n * whole, 1_000n * whole),
    ]),
    { buildPaths: (sellToken, buyToken) => buildPaths(sellToken, buyToken, 'multihop', [c]), tolerance },
  )

const order = (changes: Partial<AuctionOrder>): AuctionOrder => batchOrder({ sellAmount: whole, ...changes })

const propose = (orders: AuctionOrder[]) => {
  const market = buildMarket(0n)
  const [batch] = buildBatches(market, orders)
  const solution = batch && buildSolution([batch], wrappedNative)
  const draft = solution && buildDraft(solution, market)
  if (!draft) throw new Error('no draft')
  return { solution, draft: parseDraft(formatDraft(draft)) }
}

test('a draft survives its text', () => {
  const { solution, draft } = propose([order({})])
  expect(solution.batches[0]?.fills.map(({ order }) => order)).toEqual(
    draft.batches[0]?.requests.map(({ order }) => order),
  )
  expect(parseDraft(formatDraft(draft))).toEqual(draft)
})

test.each([
  [0n, true],
  [900n, true],
  [-500n, true],
  [-990n, true],
  [-1_010n, false],
])('pools that moved by %i millionths keep the proposal of a tolerance of 1,000: %s', (moved, isKept) => {
  const { solution, draft } = propose([order({})])
  const { pools, buildPaths } = buildMarket(moved)
  const repriced = repriceSolution(draft, { pools, buildPaths, tolerance: 500n }, wrappedNative)
  expect(repriced !== undefined).toBe(isKept)
  const [promised, fill] = [solution, repriced].map((one) => one?.batches[0]?.fills[0])
  if (fill) expect(fill.executedBuy).toBeGreaterThanOrEqual(promised?.executedBuy ?? 0n)
})

test('takes another route when the first pool is gone and the promise allows for it', () => {
  const { draft } = propose([order({ buyAmount: 1n })])
  const { pools, buildPaths } = buildMarket(0n)
  const better = new Map<string, readonly Pool[]>([...pools, poolOf(b, c, 1_010n * whole, 1_000n * whole)])
  better.delete(toPairKey(a, b))
  const repriced = repriceSolution(draft, { pools: better, buildPaths, tolerance: 500n }, wrappedNative)
  expect(repriced?.batches[0]?.route.hops).toHaveLength(2)
  better.delete(toPairKey(a, c))
  expect(repriceSolution(draft, { pools: better, buildPaths, tolerance: 500n }, wrappedNative)).toBeUndefined()
})

test('no order gets less than proposed, or pays more, in 300 random markets', () => {
  const random = createRandom(7)
  let kept = 0
  for (let round = 0; round < 300; round += 1) {
    const upTo = (most: number) => BigInt(1 + Math.floor(random() * most))
    const kind = random() < 0.5 ? ('sell' as const) : ('buy' as const)
    const orders = Array.from({ length: Number(upTo(4)) }, () => {
      const sellAmount = upTo(10_000_000) * 10n ** 6n
      return order({ kind, sellAmount, buyAmount: (sellAmount * upTo(10)) / 11n, partiallyFillable: random() < 0.3 })
    })
    const { solution, draft } = propose([...orders, order({ kind, sellAmount: whole, buyAmount: whole / 2n })])
    const { pools, buildPaths } = buildMarket(upTo(4_000) - 2_000n)
    const repriced = repriceSolution(draft, { pools, buildPaths, tolerance: 500n }, wrappedNative)
    if (!repriced) continue
    kept += 1
    const promised = new Map(solution.batches.flatMap(({ fills }) => fills).map((fill) => [fill.order.uid, fill]))
    for (const fill of repriced.batches.flatMap(({ fills }) => fills)) {
      const least = promised.get(fill.order.uid)
      if (!least) throw new Error('an order was added')
      expect(fill.executedBuy).toBeGreaterThanOrEqual(least.executedBuy)
      expect(computePaid(fill)).toBeLessThanOrEqual(computePaid(least))
    }
    const [batch] = repriced.batches
    const sum = (take: (fill: (typeof batch & object)['fills'][number]) => bigint) =>
      batch?.fills.reduce((total, fill) => total + take(fill), 0n) ?? 0n
    // the settlement contract neither lacks a bought atom nor a sold one
    expect(sum(({ executedBuy }) => executedBuy)).toBeLessThanOrEqual(batch?.route.amountOut ?? 0n)
    expect(sum(computePaid)).toBeGreaterThanOrEqual(batch?.route.amountIn ?? 0n)
  }
  expect(kept).toBeGreaterThan(100)
})
