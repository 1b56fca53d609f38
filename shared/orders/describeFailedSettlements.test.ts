import { expect, test } from 'vitest'
import { describeFailedSettlements } from './describeFailedSettlements.ts'

test.each([
  [{ failures: 1, nextBlock: 9 }, 'Settlement reverted once; next attempt at block 9.'],
  [{ failures: 2, nextBlock: 123 }, 'Settlement reverted twice; next attempt at block 123.'],
  [{ failures: 7, nextBlock: 200 }, 'Settlement reverted 7 times; next attempt at block 200.'],
  [{ failures: '7' }, undefined],
  [null, undefined],
])('describes %j', (data, text) => {
  expect(describeFailedSettlements(data)).toBe(text)
})
