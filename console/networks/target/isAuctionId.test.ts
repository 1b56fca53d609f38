import { expect, test } from 'vitest'
import { isAuctionId } from './isAuctionId.ts'

test.each([
  ['1', true],
  ['9'.repeat(15), true],
  ['9'.repeat(16), false],
  ['abc', false],
  ['1e3', false],
  ['-1', false],
  ['1.5', false],
  ['', false],
])('%j is an auction id: %s', (text, is) => {
  expect(isAuctionId(text)).toBe(is)
})
