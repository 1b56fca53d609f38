import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { poolOf } from '#test/helpers/solvers/batchMarket.ts'
import type { Pools } from '../pools/pool.ts'
import { buildPaths } from './buildPaths.ts'
import { routeTrade } from './routeTrade.ts'

const sold: Address = '0x1111111111111111111111111111111111111111'
const native: Address = '0x2222222222222222222222222222222222222222'
const dollar: Address = '0x3333333333333333333333333333333333333333'
const bought: Address = '0x4444444444444444444444444444444444444444'
const bases = [native, dollar]

/** Pools of equal reserves, in whole tokens of 10^6 atoms. */
const poolsOf = (...depths: [Address, Address, bigint][]): Pools =>
  new Map(depths.map(([first, second, depth]) => poolOf(first, second, depth * 10n ** 6n, depth * 10n ** 6n)))

const route = (pools: Pools, strategy: 'direct' | 'multihop', kind: 'sell' | 'buy', amount: bigint, hopCost = 0n) =>
  routeTrade(pools, buildPaths(sold, bought, strategy, bases), kind, amount, hopCost)

describe('routeTrade', () => {
  const shallowDirect = poolsOf([sold, bought, 10n], [sold, native, 100_000n], [native, bought, 100_000n])

  test('sells through a base token when that pays more than the direct pool', () => {
    const best = route(shallowDirect, 'multihop', 'sell', 10n ** 6n)
    expect(best?.hops.map(({ tokenIn }) => tokenIn)).toEqual([sold, native])
    // 1 token less 0.3 %, twice, less what moving two pools of 100,000 costs
    expect(best?.amountOut).toBe(993_989n)
    expect(route(shallowDirect, 'direct', 'sell', 10n ** 6n)?.amountOut).toBe(906_610n)
  })

  test('buys through a base token when that costs less than the direct pool', () => {
    expect(route(shallowDirect, 'multihop', 'buy', 10n ** 6n)?.amountIn).toBe(1_006_049n)
    expect(route(shallowDirect, 'direct', 'buy', 10n ** 6n)?.amountIn).toBe(1_114_455n)
  })

  test('uses the direct pool when the gas of another swap exceeds its gain', () => {
    expect(route(shallowDirect, 'multihop', 'sell', 10n ** 6n, 87_379n)?.hops).toHaveLength(1)
    expect(route(shallowDirect, 'multihop', 'sell', 10n ** 6n, 87_378n)?.hops).toHaveLength(2)
    expect(route(shallowDirect, 'multihop', 'buy', 10n ** 6n, 108_406n)?.hops).toHaveLength(1)
    expect(route(shallowDirect, 'multihop', 'buy', 10n ** 6n, 108_405n)?.hops).toHaveLength(2)
  })

  test('passes through two base tokens when there is no other way', () => {
    const pools = poolsOf([sold, dollar, 1_000n], [native, dollar, 1_000n], [native, bought, 1_000n])
    expect(route(pools, 'multihop', 'sell', 10n ** 6n)?.hops.map(({ tokenIn }) => tokenIn)).toEqual([
      sold,
      dollar,
      native,
    ])
    expect(route(pools, 'direct', 'sell', 10n ** 6n)).toBeUndefined()
  })

  test('has no route for an amount that no pool can pay', () => {
    expect(route(shallowDirect, 'multihop', 'buy', 10n ** 12n)).toBeUndefined()
    expect(route(new Map(), 'multihop', 'sell', 1n)).toBeUndefined()
  })
})

describe('buildPaths', () => {
  test('never passes a token twice', () => {
    expect(buildPaths(native, bought, 'multihop', bases)).toEqual([
      [native, bought],
      [native, dollar, bought],
    ])
    expect(buildPaths(native, native, 'multihop', bases)).toEqual([[native]])
  })
})
