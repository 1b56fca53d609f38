import { expect, test } from 'vitest'
import { defaultRoom } from '#shared/slippage/computeSuggestedSlippage.ts'
import type { EstimateConfirmation } from '../verification/verifyEstimate.ts'
import type { Estimate } from './findEstimate.ts'
import { isBetterEstimate } from './isBetterEstimate.ts'

const market = {
  gasPrice: 2n,
  dataGas: 0n,
  sellTokenPrice: 1,
  buyTokenPrice: 3,
  isConfirmed: true,
  slippageRoom: defaultRoom,
}
const passed: EstimateConfirmation = { status: 'passed', block: 1, gasUsed: 1n }
const skipped: EstimateConfirmation = { status: 'skipped', reason: 'timeout' }

const estimate = (changes: Partial<Estimate> = {}): Estimate => ({
  solver: { name: 'a', address: '0x' },
  sellAmount: 1_000n,
  buyAmount: 1_000n,
  gas: 10n,
  preInteractions: [],
  interactions: [],
  verification: skipped,
  ...changes,
})

test('the better price after gas wins, and a tie does not', () => {
  const better = (kind: 'sell' | 'buy', changes: Partial<Estimate>) =>
    isBetterEstimate(kind, market, estimate(changes), estimate())
  expect(better('sell', { buyAmount: 1_001n })).toBe(true)
  expect(better('sell', { buyAmount: 1_001n, gas: 11n })).toBe(true)
  // one atom more is worth 3 wei, two units of gas cost 4
  expect(better('sell', { buyAmount: 1_001n, gas: 12n })).toBe(false)
  expect(better('buy', { sellAmount: 999n })).toBe(true)
  expect(better('buy', { sellAmount: 999n, gas: 11n })).toBe(false)
  expect(better('sell', {})).toBe(false)
})

test('a confirmed offer ranks before a better one that no simulation looked at', () => {
  const confirmed = estimate({ verification: passed })
  const promised = estimate({ verification: skipped, buyAmount: 2_000n })
  expect(isBetterEstimate('sell', market, confirmed, promised)).toBe(true)
  expect(isBetterEstimate('sell', market, promised, confirmed)).toBe(false)
})

test('of two that are not confirmed the better one wins', () => {
  const better = estimate({ verification: { status: 'skipped', reason: 'nodeUnavailable' }, buyAmount: 2_000n })
  expect(isBetterEstimate('sell', market, better, estimate())).toBe(true)
})
