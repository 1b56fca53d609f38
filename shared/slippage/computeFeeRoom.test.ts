import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeFeeRoom } from './computeFeeRoom.ts'

const gwei = 10n ** 9n
const flat = Array<bigint>(100).fill(gwei)
const withStep = (from: number, fee: bigint) => flat.map((each, block) => (block < from ? each : fee))

test.each<[string, bigint[], bigint]>([
  ['a constant gas price needs room for gas alone', flat, 200_000n],
  ['a gas price that fell needs no more', withStep(50, gwei / 2n), 200_000n],
  ['a gas price that rose by 15 % needs as much more', withStep(50, (gwei * 115n) / 100n), 350_000n],
  ['a gas price that doubled needs more than the default', withStep(99, 2n * gwei), 1_200_000n],
  ['a gas price that exploded is bounded', withStep(50, 100n * gwei), 3_000_000n],
  ['a slow rise counts over ten blocks', flat.map((fee, block) => fee + (fee * BigInt(block)) / 100n), 300_000n],
  ['an atom of a rise is rounded up', withStep(50, gwei + 1n), 200_001n],
  ['no history has the default', [], 500_000n],
  ['a history of 29 blocks has the default', flat.slice(0, 29), 500_000n],
  ['a chain without gas prices has the default', flat.map(() => 0n), 500_000n],
])('%s', (_, gasPrices, room) => {
  expect(computeFeeRoom(gasPrices)).toBe(room)
})

test('is never below what any ten blocks of the history needed', () => {
  const fees = fc.array(fc.bigInt(1n, 10n ** 12n), { minLength: 30, maxLength: 101 })
  fc.assert(
    fc.property(fees, fc.nat(), fc.integer({ min: 1, max: 10 }), (gasPrices, start, blocks) => {
      const quoted = gasPrices[start % gasPrices.length] ?? 1n
      const settled = gasPrices[(start % gasPrices.length) + blocks] ?? quoted
      const room = computeFeeRoom(gasPrices)
      expect(room >= 200_000n && room <= 3_000_000n).toBe(true)
      if (room < 3_000_000n) expect(quoted * (1_000_000n + room) >= settled * 1_000_000n).toBe(true)
    }),
  )
})
