import { expect, test } from 'vitest'
import { balanceSchema } from './balanceResponse.ts'

test.each([
  [0, true],
  [255, true],
  [256, false],
  [-1, false],
  [1.5, false],
])('a token of %d decimals fits the schema: %s', (decimals, fits) => {
  const token = { address: `0x${'0a'.repeat(20)}`, decimals }
  expect(balanceSchema.safeParse({ token, balance: '1', allowance: '0' }).success).toBe(fits)
})

test.each(['-1', '1.5', '0x1', ''])('an amount is a decimal integer: %j does not fit', (amount) => {
  const token = { address: `0x${'0a'.repeat(20)}` }
  expect(balanceSchema.safeParse({ token, balance: amount, allowance: '0' }).success).toBe(false)
  expect(balanceSchema.safeParse({ token, balance: '0', allowance: amount }).success).toBe(false)
})
