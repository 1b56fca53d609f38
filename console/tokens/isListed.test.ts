import { expect, test } from 'vitest'
import { isListed } from './isListed.ts'
import { nativeSentinel } from './nativeSentinel.ts'

const usdc = { address: `0x${'1c'.repeat(20)}`, symbol: 'USDC' }
const other = `0x${'2d'.repeat(20)}`
const native = { address: nativeSentinel }

test.each([
  [[usdc], usdc.address, true],
  [[native, usdc], nativeSentinel, true],
  [[native, usdc], other, false],
  [[usdc], other, false],
  [[native], other, true],
  [[], other, true],
])('with the list %j the token %s is listed: %s', (listed, address, is) => {
  expect(isListed(listed, address)).toBe(is)
})
