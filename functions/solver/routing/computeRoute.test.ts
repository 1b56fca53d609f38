import fc from 'fast-check'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { poolOf, tokenA, tokenB, tokenC, tokenD } from '#test/helpers/solvers/batchMarket.ts'
import type { ConstantProductPool, Pools } from '../pools/pool.ts'
import { buildLegs } from './buildLegs.ts'
import { computeRoute, tolerate } from './computeRoute.ts'
import { computeAmountIn, computeAmountOut } from './computeSwap.ts'
import type { Hop } from './swapRoute.ts'

const reserve = fc.bigInt({ min: 1n, max: 2n ** 111n })
const amount = fc.bigInt({ min: 1n, max: 2n ** 110n })

/** The condition of `UniswapV2Pair.swap`: the product of the balances, less 0.3 % of the amount in, does not fall. */
const acceptsSwap = (reserveIn: bigint, reserveOut: bigint, amountIn: bigint, amountOut: bigint): boolean =>
  amountOut < reserveOut &&
  ((reserveIn + amountIn) * 1000n - amountIn * 3n) * (reserveOut - amountOut) * 1000n >=
    reserveIn * reserveOut * 1_000_000n

const [a, b, c, d] = [tokenA, tokenB, tokenC, tokenD]

describe('one pool', () => {
  test('pays the maximum that the pair allows for an exact amount in', () => {
    fc.assert(
      fc.property(amount, reserve, reserve, (amountIn, reserveIn, reserveOut) => {
        const amountOut = computeAmountOut(amountIn, reserveIn, reserveOut) ?? 0n
        expect(acceptsSwap(reserveIn, reserveOut, amountIn, amountOut)).toBe(true)
        expect(acceptsSwap(reserveIn, reserveOut, amountIn, amountOut + 1n)).toBe(false)
      }),
    )
  })

  test('takes at most two atoms more than the pair requires for an exact amount out', () => {
    fc.assert(
      fc.property(amount, reserve, reserve, (amountOut, reserveIn, reserveOut) => {
        const amountIn = computeAmountIn(amountOut, reserveIn, reserveOut)
        if (amountIn === undefined) {
          expect(amountOut).toBeGreaterThanOrEqual(reserveOut)
          return
        }
        expect(acceptsSwap(reserveIn, reserveOut, amountIn, amountOut)).toBe(true)
        expect(acceptsSwap(reserveIn, reserveOut, amountIn - 2n, amountOut)).toBe(false)
      }),
    )
  })
})

describe('several pools', () => {
  const routeAlong = (pools: Pools, path: Address[], kind: 'sell' | 'buy', traded: bigint) => {
    const [legs] = buildLegs(pools, path)
    return legs && computeRoute(legs, kind, traded, 0n)
  }
  const poolsOf = (reserves: readonly bigint[]): Pools => {
    const [ab = 0n, ba = 0n, bc = 0n, cb = 0n, cd = 0n, dc = 0n] = reserves
    return new Map([poolOf(a, b, ab, ba), poolOf(c, b, cb, bc), poolOf(c, d, cd, dc)])
  }
  const reservesOfThree = fc.array(fc.bigInt({ min: 0n, max: 2n ** 112n - 1n }), { minLength: 6, maxLength: 6 })

  test('every swap of a route is accepted by its pair, and its output is the next input', () => {
    fc.assert(
      fc.property(
        reservesOfThree,
        amount,
        fc.constantFrom('sell' as const, 'buy' as const),
        (reserves, traded, kind) => {
          const pools = poolsOf(reserves)
          const route = routeAlong(pools, [a, b, c, d], kind, traded)
          fc.pre(route !== undefined)
          expect(kind === 'sell' ? route.amountIn : route.amountOut).toBe(traded)
          expect(route.hops[0]?.amountIn).toBe(route.amountIn)
          expect(route.hops.at(-1)?.amountOut).toBe(route.amountOut)
          for (const [i, hop] of route.hops.entries()) {
            const pool = hop.pool as ConstantProductPool
            const [reserveIn, reserveOut] =
              hop.tokenIn === pool.token0 ? [pool.reserve0, pool.reserve1] : [pool.reserve1, pool.reserve0]
            expect(acceptsSwap(reserveIn, reserveOut, hop.amountIn, hop.amountOut)).toBe(true)
            expect(reserveIn + hop.amountIn).toBeLessThan(2n ** 112n)
            if (i > 0) expect(hop.amountIn).toBe(route.hops[i - 1]?.amountOut)
          }
        },
      ),
    )
  })

  test('there is no route without a pool, through an empty one, or for more than a reserve holds', () => {
    const pools = poolsOf([1000n, 1000n, 0n, 1000n, 1000n, 1000n])
    expect(routeAlong(pools, [a, d], 'sell', 10n)).toBeUndefined()
    expect(routeAlong(pools, [a, b, c], 'sell', 10n)).toBeUndefined()
    expect(routeAlong(pools, [a, b, c], 'buy', 10n)).toBeUndefined()
    expect(routeAlong(pools, [a, b], 'buy', 1000n)).toBeUndefined()
    expect(routeAlong(pools, [a, b], 'sell', 2n ** 112n)).toBeUndefined()
    expect(routeAlong(pools, [a, b], 'sell', 0n)).toBeUndefined()
    expect(routeAlong(pools, [a, b], 'sell', 1n)).toBeUndefined()
  })

  test('a token is traded for itself one to one, without a pool', () => {
    expect(routeAlong(new Map(), [a], 'sell', 7n)).toEqual({ hops: [], amountIn: 7n, amountOut: 7n })
  })
})

describe('tolerate', () => {
  const [[, [pool]]] = [poolOf(a, b, 1n, 1n)] as [[string, [ConstantProductPool]]]
  const hop: Hop = { pool, tokenIn: a, tokenOut: b, amountIn: 2_000_000_000n, amountOut: 1_000_000_001n }

  test('deducts a thousandth from the proceeds of a sale, rounded up', () => {
    expect(tolerate(hop, 'sell', { tolerance: 1_000n, of: 1n })).toEqual({ ...hop, amountOut: 999_000_000n })
    expect(tolerate(hop, 'sell', { tolerance: 1_000n, of: 2n })).toEqual({ ...hop, amountOut: 999_500_000n })
  })

  test('adds a thousandth to the cost of a purchase', () => {
    expect(tolerate(hop, 'buy', { tolerance: 1_000n, of: 4n })).toEqual({ ...hop, amountIn: 2_000_500_000n })
  })

  test('leaves no route without an output', () => {
    expect(tolerate({ ...hop, amountOut: 1n }, 'sell', { tolerance: 1n, of: 1n })).toBeUndefined()
  })
})
