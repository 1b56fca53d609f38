import { expect, test } from 'vitest'
import { computeNextSettlementBlock } from './computeNextSettlementBlock.ts'

test.each([
  [1, 101],
  [2, 102],
  [3, 104],
  [7, 164],
  [8, 164],
  [2_000, 164],
])('after %i failures, the newest in block 100, the next attempt is in block %i at the earliest', (failures, block) => {
  expect(computeNextSettlementBlock(failures, 100)).toBe(block)
})

test.each([10, 100, 1_000, 10_000])('an order that always reverts costs few attempts within %i blocks', (blocks) => {
  let attempts = 0
  for (let block = 0; block < blocks; block = computeNextSettlementBlock(attempts, block)) attempts += 1
  expect(attempts).toBeLessThanOrEqual(Math.log2(blocks) + blocks / 64 + 2)
})
