import { expect, test } from 'vitest'
import { checkUint256, maxUint256 } from './uint256.ts'

test('checkUint256 returns valid values and names invalid ones', () => {
  expect(checkUint256(0n, 'amount')).toBe(0n)
  expect(checkUint256(maxUint256, 'amount')).toBe(BigInt(`0x${'f'.repeat(64)}`))
  expect(() => checkUint256(-1n, 'amount')).toThrow(/^amount: -1 /)
  expect(() => checkUint256(maxUint256 + 1n, 'amount')).toThrow(RangeError)
})
