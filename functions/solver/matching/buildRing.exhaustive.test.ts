import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { auctionOrder } from '#test/helpers/orders/auctionOrder.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { buildFill } from '../fills/buildFill.ts'
import { buildRing } from './buildRing.ts'

/** Rings against a search of all amounts, coarse and then fine. `RING_SEED=<n>` for other markets. */

const seed = Number(process.env.RING_SEED ?? 7)
const markets = 120
/** steps of the coarse search, and atoms of each */
const largest = 24
const unit = 10_000n
/** the fine search divides the step three times, and tries as many steps around the best amounts */
const refinements = 3
const division = 5n
const tokens = ['a', 'b', 'c'].map((digit): Address => `0x${digit.repeat(40)}`)

const drawMarket = (random: () => number): { market: BatchMarket; orders: AuctionOrder[] } => {
  const draw = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const prices = new Map(tokens.map((token) => [token, BigInt(draw(8, 12)) * 10n ** 24n]))
  const orders = tokens.map((sellToken, i): AuctionOrder => {
    const sellAmount = draw(8, largest)
    return {
      ...auctionOrder,
      uid: `0x${String(i).padStart(112, '0')}`,
      sellToken,
      buyToken: tokens[(i + 1) % tokens.length] as Address,
      sellAmount: BigInt(sellAmount) * unit,
      // from 0.5 to 1.2 of the other token for one
      buyAmount: BigInt(Math.max(1, Math.round(sellAmount * (0.5 + 0.7 * random())))) * unit,
      kind: random() < 0.7 ? 'sell' : 'buy',
      partiallyFillable: random() < 0.8,
    }
  })
  const market: BatchMarket = {
    ...{ pools: new Map(), buildPaths: () => [], funds: new Map(), prices },
    ...{ gasPrice: 0n, dataGas: 0n, tolerance: 0n },
  }
  return { market, orders }
}

/** @returns undefined when an order cannot be filled with these amounts */
const scoreOf = (
  { prices }: BatchMarket,
  orders: readonly AuctionOrder[],
  given: readonly bigint[],
): bigint | undefined => {
  let score = 0n
  for (const [i, order] of orders.entries()) {
    const [executedSell, executedBuy] = [given[i] ?? 0n, given[(i + 1) % given.length] ?? 0n]
    const [executed, signed] = order.kind === 'sell' ? [executedSell, order.sellAmount] : [executedBuy, order.buyAmount]
    if (order.partiallyFillable ? executed > signed : executed !== signed) return undefined
    const fill = buildFill(order, { executedSell, executedBuy }, 0n, prices.get(order.buyToken) ?? 0n)
    if (!fill) return undefined
    score += fill.score
  }
  return score
}

/** The best score of all amounts on a grid around `centre`. */
const searchGrid = (
  score: (given: readonly bigint[]) => bigint | undefined,
  centre: readonly bigint[],
  step: bigint,
  reach: number,
): { best: bigint; at: readonly bigint[] } => {
  const offsets = Array.from({ length: 2 * reach + 1 }, (_, i) => step * BigInt(i - reach))
  let found = { best: -1n, at: centre }
  const [x = 0n, y = 0n, z = 0n] = centre
  for (const dx of offsets)
    for (const dy of offsets)
      for (const dz of offsets) {
        const given = [x + dx, y + dy, z + dz]
        if (given.some((amount) => amount <= 0n)) continue
        const best = score(given) ?? -1n
        if (best > found.best) found = { best, at: given }
      }
  return found
}

const findBest = (market: BatchMarket, orders: readonly AuctionOrder[]): bigint => {
  const score = (given: readonly bigint[]) => scoreOf(market, orders, given)
  const half = Math.ceil(largest / 2)
  const middle = unit * BigInt(half)
  let found = searchGrid(score, [middle, middle, middle], unit, half)
  for (let step = unit, i = 0; i < refinements && found.best >= 0n; i += 1) {
    step /= division
    found = searchGrid(score, found.at, step, Number(division))
  }
  return found.best
}

test('rings score at least 0.999 of the best amounts at the median and 0.99 at the tenth percentile', () => {
  const random = createRandom(seed)
  const shares: number[] = []
  let impossible = 0
  for (let i = 0; i < markets; i += 1) {
    const { market, orders } = drawMarket(random)
    const ring = buildRing(market, orders)
    const best = findBest(market, orders)
    if (best < 0n) {
      // a ring may fit between the steps
      if (!ring) impossible += 1
      continue
    }
    // the amounts that it proposes satisfy every order
    const given = ring?.fills.map(({ executedSell }) => executedSell) ?? []
    if (ring) expect(scoreOf(market, orders, given)).toBe(ring.score)
    shares.push(best === 0n ? 1 : Number(((ring?.score ?? 0n) * 1_000_000n) / best) / 1e6)
  }
  shares.sort((a, b) => a - b)
  const at = (share: number) => shares[Math.floor(share * shares.length)]
  console.log(`rings: ${shares.length} markets, least ${shares[0]}, p10 ${at(0.1)}, median ${at(0.5)}`)
  expect(shares.length).toBeGreaterThan(markets / 3)
  expect(impossible).toBeGreaterThan(10)
  expect(at(0.5)).toBeGreaterThanOrEqual(0.999)
  expect(at(0.1)).toBeGreaterThanOrEqual(0.99)
})
