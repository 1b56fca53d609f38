import { describe, expect, test } from 'vitest'
import type { EstimateConfirmation } from '../verification/verifyEstimate.ts'
import { computePlausibleEstimates } from './computePlausibleEstimates.ts'
import type { Estimate } from './findEstimate.ts'

/** One sell atom buys two buy atoms at known prices. */
const market = { sellTokenPrice: 2, buyTokenPrice: 1, isConfirmed: true }
const skipped: EstimateConfirmation = { status: 'skipped', reason: 'fastQuote' }
const sellAmount = 10n ** 20n

/** @param worth of what is bought, as a share of what is sold */
const estimate = (name: string, worth: number, verification: EstimateConfirmation = skipped): Estimate => ({
  solver: { name, address: '0x5000000000000000000000000000000000000001' },
  sellAmount,
  buyAmount: BigInt(Math.round(Number(sellAmount) * 2 * worth)),
  gas: 100_000n,
  verification,
  preInteractions: [],
  interactions: [],
})

const judge = (worths: number[], isConfirmed = true, isAwaited = false) => {
  const estimates = worths.map((worth, i) => estimate(String(i), worth))
  const { plausible, implausible } = computePlausibleEstimates(estimates, { ...market, isConfirmed }, isAwaited)
  expect(plausible.length + implausible.length).toBe(worths.length)
  return implausible.map(({ estimate: { solver } }) => Number(solver.name))
}

describe('computePlausibleEstimates', () => {
  test.each([
    ['accepts honest estimates', [0.99, 1.01], true, []],
    ['accepts an estimate of a large trade in a small pool', [0.001], true, []],
    ['accepts a bogus low one, which loses', [1e-20, 0.99, 0.98], true, []],
    ['drops a bogus high one', [1e30, 0.99], true, [0]],
    ['drops the only one when it is bogus', [11], true, [0]],
    ['drops one of three that is above the others and above known prices', [0.99, 5, 0.98], true, [1]],
    ['accepts a better route that known prices explain', [0.1, 0.1, 0.99], true, []],
    ['accepts two that confirm each other against known prices', [40, 50, 0.9], true, []],
    ['drops one of three far above the others without confirmed prices', [0.9, 1, 20], false, [2]],
    ['accepts one of two without confirmed prices', [0.9, 20], false, []],
  ] as const)('%s', (_, worths, isConfirmed, dropped) => {
    expect(judge([...worths], isConfirmed)).toEqual(dropped)
  })

  test.each([
    ['drops a single low one', [0.09], true, [0]],
    ['accepts a single one near known prices', [0.11], true, []],
    ['accepts a single low one without confirmed prices', [0.09], false, []],
    ['accepts a low one beside another, which may win', [0.09, 0.99], true, []],
  ] as const)('%s while a solver has not responded', (_, worths, isConfirmed, dropped) => {
    expect(judge([...worths], isConfirmed, true)).toEqual(dropped)
  })

  test('accepts a single low estimate that a simulation confirmed while a solver has not responded', () => {
    const proven = estimate('proven', 0.01, { status: 'passed', block: 1, gasUsed: 1n })
    expect(computePlausibleEstimates([proven], market, true).implausible).toEqual([])
  })

  test('accepts an estimate that a simulation confirmed', () => {
    const proven = estimate('proven', 50, { status: 'passed', block: 1, gasUsed: 1n })
    expect(computePlausibleEstimates([proven, estimate('other', 1)], market, false).implausible).toEqual([])
  })

  test('states the ratio of an estimate to known prices', () => {
    expect(computePlausibleEstimates([estimate('liar', 50)], market, false).implausible).toMatchObject([
      { estimate: { solver: { name: 'liar' } }, worth: 50, reason: 'far above known prices' },
    ])
  })
})
