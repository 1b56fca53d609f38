import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { auctionOrder } from '#test/helpers/orders/auctionOrder.ts'
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

const [a, b, c, wrappedNative] = ['a', 'b', 'c', 'e'].map((digit): Address => `0x${digit.repeat(40)}`) as [
  Address,
  Address,
  Address,
  Address,
]
const whole = 10n ** 12n
const tolerance = 1_000n

const buildPool = (token0: Address, token1: Address, reserve0: bigint, reserve1: bigint): [string, Pool[]] => [
  toPairKey(token0, token1),
  [
    {
      kind: 'constantProduct',
      address: `0x${token0.slice(2, 22)}${token1.slice(2, 22)}`,
      ...{ token0, token1, reserve0, reserve1 },
    },
  ],
]

/** A direct pool whose price of `a` changes by millionths, and a detour through `c` that is 1 % worse. */
const buildMarket = (ppm: bigint): BatchMarket => ({
  pools: new Map([
    buildPool(a, b, 1_000n * whole, (1_000n * whole * (1_000_000n + ppm)) / 1_000_000n),
    buildPool(a, c, 1_000n * whole, 1_000n * whole),
    buildPool(b, c, 993n * whole, 1_000n * whole),
  ]),
  buildPaths: (sellToken, buyToken) => buildPaths(sellToken, buyToken, 'multihop', [c]),
  gasPrice: 1_000n,
  dataGas: 0n,
  prices: new Map([a, b, c].map((token) => [token, 10n ** 24n])),
  funds: new Map(),
  tolerance,
})

let uids = 0
const order = (changes: Partial<AuctionOrder>): AuctionOrder => {
  uids += 1
  const uid = `0x${uids.toString(16).padStart(112, '0')}` as const
  return { ...auctionOrder, uid, sellToken: a, buyToken: b, sellAmount: whole, ...changes }
}

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
  const better = new Map([...pools, buildPool(b, c, 1_010n * whole, 1_000n * whole)])
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
