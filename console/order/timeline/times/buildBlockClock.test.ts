import { expect, it } from 'vitest'
import { buildBlockClock } from './buildBlockClock.ts'

it('returns known times, interpolates between them, and adds block times beyond', () => {
  const clock = buildBlockClock(
    [
      { block: 110, time: 20_000 },
      { block: 100, time: 10_000 },
      { block: 100, time: 12_000 },
    ],
    2_000,
  )
  expect([98, 100, 105, 110, 113].map(clock)).toEqual([6_000, 10_000, 15_000, 20_000, 26_000])
})

it('never goes back: a time that contradicts an earlier block is ignored', () => {
  const clock = buildBlockClock(
    [
      { block: 1, time: 5_000 },
      { block: 2, time: 4_000 },
      { block: 3, time: 7_000 },
    ],
    1_000,
  )
  expect([1, 2, 3].map(clock)).toEqual([5_000, 6_000, 7_000])
})

it('returns undefined without any known time', () => {
  expect(buildBlockClock([], 1_000)(7)).toBeUndefined()
})
