import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { computeDeadlineBlocks } from './computeDeadlineBlocks.ts'

test.each([
  ['mainnet', 5, 60],
  ['sepolia', 5, 60],
  ['gnosis', 5, 25],
  ['base', 8, 16],
  ['arbitrum_one', 60, 15],
] as const)('a winner on %s has %d blocks, which last %d s', (name, blocks, seconds) => {
  expect(computeDeadlineBlocks(networks[name])).toBe(blocks)
  expect(blocks * networks[name].blockTimeSeconds).toBe(seconds)
})

test('a setting in seconds is rounded up to blocks, at least two', () => {
  expect(computeDeadlineBlocks(networks.arbitrum_one, 30)).toBe(120)
  expect(computeDeadlineBlocks(networks.mainnet, 61)).toBe(6)
  expect(computeDeadlineBlocks(networks.mainnet, 1)).toBe(2)
})
