import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { ConcentratedPool, ConstantProductPool } from '../pools/pool.ts'
import { computeSpot, computeSpotAlong } from './computeSpot.ts'
import { isBetterRate } from './rate.ts'

const [a, b, c] = ['a', 'b', 'c'].map((digit): Address => `0x${digit.repeat(40)}`) as [Address, Address, Address]
const reserves: ConstantProductPool = {
  kind: 'constantProduct',
  address: a,
  token0: a,
  token1: b,
  reserve0: 1_000n,
  reserve1: 4_000n,
}
/** two of token1 per token0 squared: a price of four */
const concentrated: ConcentratedPool = {
  kind: 'concentrated',
  address: b,
  token0: b,
  token1: c,
  fee: 500,
  tickSpacing: 10,
  sqrtPrice: 2n * 2n ** 96n,
  tick: 0,
  liquidity: 1n,
  ticks: new Map(),
  lowestTick: 0,
  highestTick: 0,
}
const toNumber = ({ amountIn, amountOut }: { amountIn: bigint; amountOut: bigint }) =>
  Number((amountOut * 10n ** 12n) / amountIn) / 1e12

test('the rate of a constant-product pool is the ratio of its reserves after a fee of 0.3 %', () => {
  expect(computeSpot(reserves, a)).toEqual({ amountIn: 1_000n * 1_000_000n, amountOut: 4_000n * 997_000n })
  expect(computeSpot(reserves, b)).toEqual({ amountIn: 4_000n * 1_000_000n, amountOut: 1_000n * 997_000n })
})

test('the rate of a concentrated pool is its price after its own fee', () => {
  expect(toNumber(computeSpot(concentrated, b))).toBeCloseTo(4 * 0.9995, 10)
  expect(toNumber(computeSpot(concentrated, c))).toBeCloseTo(0.25 * 0.9995, 10)
})

test('the rate along legs is the product of the best pools', () => {
  const worse = { ...reserves, reserve1: 3_000n }
  const legs = [
    { tokenIn: a, tokenOut: b, kind: 'constantProduct' as const, pools: [worse, reserves] },
    { tokenIn: b, tokenOut: c, kind: 'concentrated' as const, pools: [concentrated] },
  ]
  expect(toNumber(computeSpotAlong(legs))).toBeCloseTo(4 * 0.997 * 4 * 0.9995, 10)
})

test('a rate is better only when it gives more', () => {
  expect(isBetterRate({ amountIn: 2n, amountOut: 3n }, { amountIn: 3n, amountOut: 4n })).toBe(true)
  expect(isBetterRate({ amountIn: 2n, amountOut: 4n }, { amountIn: 1n, amountOut: 2n })).toBe(false)
})
