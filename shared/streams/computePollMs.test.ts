import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { computePollMs } from './computePollMs.ts'

test.each([
  [networks.mainnet, 5_000],
  [networks.gnosis, 2_500],
  [networks.base, 1_000],
  [networks.arbitrum_one, 1_000],
])('$name → %i ms', (network, expected) => {
  expect(computePollMs(network)).toBe(expected)
})
