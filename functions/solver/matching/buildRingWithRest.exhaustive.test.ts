import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { auctionOrder } from '#test/helpers/orders/auctionOrder.ts'
import { drawPool } from '#test/helpers/solvers/drawPools.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import type { Batch } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { buildFill } from '../fills/buildFill.ts'
import { toPairKey } from '../pools/pool.ts'
import { buildLegs, type Leg } from '../routing/buildLegs.ts'
import { computeRoute } from '../routing/computeRoute.ts'
import { buildRingWithRest } from './buildRingWithRest.ts'

/** Rests of rings against a search of all rests and amounts. `RING_SEED=<n>` for other markets. */

const seed = Number(process.env.RING_SEED ?? 7)
const markets = 60
/** atoms of one step of an amount */
const unit = 1_000_000n
/** steps of the coarse search of a rest, and of the fine one within a step */
const restSteps = 40n
/** steps of the search of a partially fillable amount */
const amountSteps = 12n
const tokens = ['a', 'b', 'c'].map((digit): Address => `0x${digit.repeat(40)}`)

interface Drawn {
  market: BatchMarket
  orders: AuctionOrder[]
}

const draw = (random: () => number, partials: number): Drawn => {
  const [a, b, c] = tokens as [Address, Address, Address]
  const pairs = [
    [a, b],
    [a, c],
    [b, c],
  ] as const
  const pools = new Map(
    pairs.map(([token0, token1], i) => [
      toPairKey(token0, token1),
      [drawPool(random, token0, token1, `0x${String(i + 1).padStart(40, '0')}`)],
    ]),
  )
  const orders = tokens.map((sellToken, i): AuctionOrder => {
    const steps = 5 + Math.floor(random() * 20)
    return {
      ...auctionOrder,
      uid: `0x${String(i).padStart(112, '0')}`,
      sellToken,
      buyToken: tokens[(i + 1) % tokens.length] as Address,
      sellAmount: BigInt(steps) * unit,
      buyAmount: BigInt(Math.round(steps * (0.7 + 0.35 * random()) * Number(unit))),
      kind: 'sell',
      partiallyFillable: i < partials,
    }
  })
  const market: BatchMarket = {
    ...{ pools, buildPaths: () => [], funds: new Map() },
    prices: new Map(tokens.map((token) => [token, 10n ** 24n])),
    ...{ gasPrice: 0n, dataGas: 0n, tolerance: 0n },
  }
  return { market, orders }
}

/** The rests of one pool each, in both directions of each pair. */
const listPoolRests = ({ pools }: BatchMarket): { from: number; to: number; legs: Leg[] }[] =>
  tokens.flatMap((sellToken, from) =>
    tokens.flatMap((buyToken, to) =>
      from === to ? [] : buildLegs(pools, [sellToken, buyToken]).map((legs) => ({ from, to, legs })),
    ),
  )

/** Score of amounts and a rest; undefined when a price of the ring or a limit does not allow it. */
const scoreOf = (
  { market, orders }: Drawn,
  given: readonly bigint[],
  { from, to, legs }: ReturnType<typeof listPoolRests>[number],
  rest: bigint,
): bigint | undefined => {
  const out = computeRoute(legs, 'sell', rest, 0n)?.amountOut
  const [larger, smaller] = [given[from] ?? 0n, given[to] ?? 0n]
  if (out === undefined || (larger - rest) * out < smaller * rest) return undefined
  let score = 0n
  for (const [i, order] of orders.entries()) {
    const next = (i + 1) % given.length
    const executedBuy = (given[next] ?? 0n) - (next === from ? rest : 0n) + (next === to ? out : 0n)
    const executed = { executedSell: given[i] ?? 0n, executedBuy }
    const fill = buildFill(order, executed, 0n, market.prices.get(order.buyToken) ?? 0n)
    if (!fill) return undefined
    score += fill.score
  }
  return score
}

/** The largest rest of a range that the pools buy at the ring's price, in steps from the largest one on. */
const findLargest = (fits: (n: bigint) => boolean, low: bigint, high: bigint): bigint | undefined => {
  for (let step = restSteps; step > 0n; step -= 1n) {
    const n = low + ((high - low) * step) / restSteps
    if (fits(n)) return n
  }
  return undefined
}

/** The best score of the largest rests, of all amounts of the first order in steps. */
const findBest = (drawn: Drawn): bigint => {
  const whole = drawn.orders.map(({ sellAmount }) => sellAmount)
  const [first = 0n, ...others] = whole
  const firsts = drawn.orders[0]?.partiallyFillable
    ? Array.from({ length: Number(amountSteps) }, (_, i) => (first * BigInt(i + 1)) / amountSteps)
    : [first]
  let best = -1n
  for (const rest of listPoolRests(drawn.market)) {
    for (const amount of firsts) {
      const given = [amount, ...others]
      const [larger, smaller] = [given[rest.from] ?? 0n, given[rest.to] ?? 0n]
      const fits = (n: bigint) => {
        const out = computeRoute(rest.legs, 'sell', n, 0n)?.amountOut ?? 0n
        return (larger - n) * out >= smaller * n
      }
      const coarse = findLargest(fits, 0n, larger)
      if (coarse === undefined) continue
      const fine = findLargest(fits, coarse, coarse + larger / restSteps) ?? coarse
      const score = scoreOf(drawn, given, rest, fine) ?? -1n
      if (score > best) best = score
    }
  }
  return best
}

const findRing = ({ market, orders }: Drawn): Batch | undefined =>
  listPoolRests(market)
    .flatMap((rest) => buildRingWithRest(market, orders, rest) ?? [])
    .sort((a, b) => (a.score < b.score ? 1 : -1))[0]

/** What the settlement contract holds of each token afterwards. */
const sumRemainders = ({ fills, route }: Batch): bigint[] =>
  tokens.map((token) => {
    const [first, last] = [route.hops[0], route.hops.at(-1)]
    const traded = (last?.tokenOut === token ? route.amountOut : 0n) - (first?.tokenIn === token ? route.amountIn : 0n)
    return fills.reduce(
      (sum, { order, executedSell, executedBuy }) =>
        sum + (order.sellToken === token ? executedSell : 0n) - (order.buyToken === token ? executedBuy : 0n),
      traded,
    )
  })

test.each([
  ['of a fixed amount', 0],
  ['one of which is partially fillable', 1],
])('rings of orders %s and a rest score 0.99 of the best rests', (_, partials) => {
  const random = createRandom(seed)
  const shares: number[] = []
  let impossible = 0
  for (let i = 0; i < markets; i += 1) {
    const drawn = draw(random, partials)
    const [ring, best] = [findRing(drawn), findBest(drawn)]
    if (ring) expect(sumRemainders(ring)).toEqual([0n, 0n, 0n])
    if (best >= 0n) shares.push(best === 0n ? 1 : Number(ring?.score ?? 0n) / Number(best))
    else if (!ring) impossible += 1
  }
  shares.sort((a, b) => a - b)
  const at = (share: number) => shares[Math.floor(share * shares.length)]
  console.log(`rings with a rest: ${shares.length} markets, least ${shares[0]}, p10 ${at(0.1)}, median ${at(0.5)}`)
  expect(shares.length).toBeGreaterThan(markets / 4)
  expect(impossible).toBeGreaterThan(5)
  expect(at(0.5)).toBeGreaterThanOrEqual(0.99)
  expect(at(0.1)).toBeGreaterThanOrEqual(0.99)
})
