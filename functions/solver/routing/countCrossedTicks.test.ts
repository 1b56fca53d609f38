import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { computeSqrtPrice } from '../pools/computeSqrtPrice.ts'
import type { ConcentratedPool, Pool } from '../pools/pool.ts'
import { computeConcentratedSwap } from './computeConcentratedSwap.ts'
import { computeRoute } from './computeRoute.ts'
import { countCrossedTicks } from './countCrossedTicks.ts'

const [a, b]: Address[] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]
const liquidity = 10n ** 15n

/** At tick 30, with positions that begin and end at −120, −60, 60 and 120. */
const pool: ConcentratedPool = {
  kind: 'concentrated',
  ...{ address: `0x${'1'.repeat(40)}`, token0: a as Address, token1: b as Address, fee: 3_000, tickSpacing: 60 },
  ...{ sqrtPrice: computeSqrtPrice(30), tick: 30, liquidity: 2n * liquidity },
  ticks: new Map([
    [-120, liquidity],
    [-60, liquidity],
    [60, -liquidity],
    [120, -liquidity],
  ]),
  ...{ lowestTick: -60_000, highestTick: 60_000 },
}

const countAlong = (tokenIn: Address | undefined, amount: bigint, traded: Pool = pool) => {
  if (!tokenIn) throw new Error('no token')
  const tokenOut = tokenIn === a ? b : a
  const leg = { tokenIn, tokenOut: tokenOut as Address, kind: traded.kind, pools: [traded] }
  const route = computeRoute([leg], 'sell', amount, 0n)
  return route && countCrossedTicks(route)
}

/** Amount that moves the price exactly to a tick, fee included, and one more atom of each step's rounding. */
const amountTo = (tick: number): bigint => {
  let [low, high] = [1n, 10n ** 15n]
  const passes = (amount: bigint) => {
    const after = computeConcentratedSwap(pool, tick < pool.tick, 'sell', amount)?.pool
    return !after || (tick < pool.tick ? after.tick < tick : after.tick >= tick)
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (passes(middle)) high = middle
    else low = middle
  }
  return high
}

test.each([
  ['downwards', a, -60],
  ['upwards', b, 60],
])('a tick is crossed by the amount that reaches it %s, and by no smaller one', (_, tokenIn, tick) => {
  const amount = amountTo(tick)
  expect(countAlong(tokenIn, amount - 1n)).toBe(0n)
  expect(countAlong(tokenIn, amount)).toBe(1n)
})

test('a constant-product pool has no ticks', () => {
  const traded: Pool = {
    kind: 'constantProduct',
    ...{ address: pool.address, token0: pool.token0, token1: pool.token1 },
    ...{ reserve0: 10n ** 9n, reserve1: 10n ** 9n },
  }
  expect(countAlong(a, 10n ** 6n, traded)).toBe(0n)
})
