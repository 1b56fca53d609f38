import { expect, test } from 'vitest'
import { toDelivered } from './toDelivered.ts'

test.each([
  ['sell', 500n, 1_000_000n, 999_500n],
  ['sell', 500n, 1_001n, 1_000n],
  ['sell', 500n, 1n, 1n],
  ['buy', 500n, 1_000_000n, 1_000_500n],
  ['buy', 500n, 1_001n, 1_002n],
  ['buy', 0n, 1_001n, 1_001n],
] as const)('a %s with a tolerance of %i millionths of %i delivers %i', (kind, tolerancePpm, offered, delivered) => {
  const [exact, other] =
    kind === 'sell' ? (['sellAmount', 'buyAmount'] as const) : (['buyAmount', 'sellAmount'] as const)
  const quote = { [exact]: 7n, [other]: offered } as Record<'sellAmount' | 'buyAmount', bigint>
  expect(toDelivered(kind, quote, tolerancePpm)).toEqual({ ...quote, [other]: delivered })
})
