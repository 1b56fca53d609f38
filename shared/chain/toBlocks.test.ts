import { expect, test } from 'vitest'
import { toBlocks } from './toBlocks.ts'

test.each([
  [60, 12, 5],
  [61, 12, 6],
  [15, 2, 8],
  [15, 0.25, 60],
  [0.1, 0.25, 1],
])('%d s in blocks of %d s are %d blocks', (seconds, blockTimeSeconds, blocks) => {
  expect(toBlocks(seconds, { blockTimeSeconds })).toBe(blocks)
})

test('the minimum counts when the time is shorter', () => {
  expect(toBlocks(1, { blockTimeSeconds: 12 }, 2)).toBe(2)
  expect(toBlocks(60, { blockTimeSeconds: 12 }, 2)).toBe(5)
})
