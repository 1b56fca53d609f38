import { expect, test } from 'vitest'
import { hasAtomicBatches, isContractCode } from './readAbilities.ts'

test('an account with code is a contract, except one that only delegates', () => {
  expect(isContractCode('0x6080')).toBe(true)
  expect(isContractCode('0x')).toBe(false)
  expect(isContractCode(`0xEF0100${'ab'.repeat(20)}`)).toBe(false)
  for (const nothing of [undefined, null, 7, {}]) expect(isContractCode(nothing)).toBe(false)
})

test('batches count when the wallet executes them atomically on this chain or on all', () => {
  const supported = { atomic: { status: 'supported' } }
  expect(hasAtomicBatches({ '0x5': supported }, '0x5')).toBe(true)
  expect(hasAtomicBatches({ '0x0': supported }, '0x5')).toBe(true)
  expect(hasAtomicBatches({ '0x1': supported }, '0x5')).toBe(false)
  // the account would have to become a smart account first
  expect(hasAtomicBatches({ '0x5': { atomic: { status: 'ready' } } }, '0x5')).toBe(false)
  for (const nothing of [undefined, null, 'yes', { '0x5': null }, { '0x5': { atomic: true } }])
    expect(hasAtomicBatches(nothing, '0x5')).toBe(false)
})
