import { describe, expect, test } from 'vitest'
import type { OrderKind } from '#shared/signing/order.ts'
import { computeSupportedEstimates } from './computeSupportedEstimates.ts'
import type { Estimate } from './findEstimate.ts'

/** One sell atom buys two buy atoms at known prices. */
const market = { sellTokenPrice: 2, buyTokenPrice: 1, isConfirmed: true }
const amount = 10n ** 20n

/** @param worth of what is bought, as a share of what is sold */
const estimate = (worth: number, kind: OrderKind): Estimate => ({
  solver: { name: `${worth}`, address: '0x5000000000000000000000000000000000000001' },
  sellAmount: kind === 'sell' ? amount : BigInt(Math.round(Number(amount) / 2 / worth)),
  buyAmount: kind === 'sell' ? BigInt(Math.round(Number(amount) * 2 * worth)) : amount,
  gas: 100_000n,
  verification: { status: 'skipped', reason: 'fastQuote' },
  preInteractions: [],
  interactions: [],
})
const select = (worths: number[], { isConfirmed = true, kind = 'sell' as OrderKind } = {}) =>
  computeSupportedEstimates(
    worths.map((worth) => estimate(worth, kind)),
    { ...market, isConfirmed },
    kind,
  )
const worthOf = ({ sellAmount, buyAmount }: Estimate) => Number(buyAmount) / 2 / Number(sellAmount)

describe.each(['sell', 'buy'] as const)('estimates of a fast quote to %s', (kind) => {
  test.each([
    ['of two that differ the lower counts', [1.5, 0.98], [0.98]],
    ['of three the best one that another supports', [2.9, 1, 0.99], [1, 0.99]],
    ['two that are close both count', [1.01, 1], [1.01, 1]],
    ['prices do not let a lonely best one in', [1.2, 0.7], [0.7]],
    ['a poor one beside two others takes nothing from them', [1, 0.99, 0.1], [1, 0.99]],
  ])('%s', (_, worths, counted) => {
    const names = select(worths, { kind }).map(({ solver }) => Number(solver.name))
    expect(names.filter((name) => name >= Math.max(...counted))).toEqual([Math.max(...counted)])
    expect(Math.max(...names)).toBe(Math.max(...counted))
  })

  test('a single one is at most a quarter above confirmed prices', () => {
    for (const inflated of [1.26, 1.5, 3, 9.9]) {
      const [only, ...others] = select([inflated], { kind })
      expect(others).toEqual([])
      expect(only && worthOf(only)).toBeLessThanOrEqual(1.25)
      expect(only && worthOf(only)).toBeCloseTo(1.25, 6)
    }
    for (const honest of [0.5, 1, 1.2]) expect(select([honest], { kind })).toEqual([estimate(honest, kind)])
  })

  test('several that support each other are at most a quarter above confirmed prices', () => {
    expect(select([3, 2.95, 1.2], { kind }).map(worthOf)).toEqual([
      expect.closeTo(1.25, 6),
      expect.closeTo(1.25, 6),
      expect.closeTo(1.2, 6),
    ])
    for (const honest of [1, 1.2])
      expect(select([honest, honest], { kind })).toEqual([estimate(honest, kind), estimate(honest, kind)])
    expect(select([3, 3], { isConfirmed: false, kind })).toEqual([estimate(3, kind), estimate(3, kind)])
  })

  test('a single one without confirmed prices stays', () => {
    expect(select([3], { isConfirmed: false, kind })).toEqual([estimate(3, kind)])
  })
})

test.each([
  [0n, 100_000n],
  [250_000n, 250_000n],
])('an estimate with %s gas has %s, because no simulation measured it', (gas, counted) => {
  const [found] = computeSupportedEstimates([{ ...estimate(1, 'sell'), gas }], market, 'sell')
  expect(found?.gas).toBe(counted)
})

test('a ladder of solvers, each of which supports the next one, ends a quarter above confirmed prices', () => {
  const ladder = Array.from({ length: 20 }, (_, step) => 1.03 ** step)
  const best = Math.max(...select(ladder).map(worthOf))
  expect(best).toBeCloseTo(1.25, 6)
})

test('an empty list stays empty', () => {
  expect(select([])).toEqual([])
})
