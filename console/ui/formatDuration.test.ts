import { expect, it } from 'vitest'
import { formatDuration } from './formatDuration.ts'

it.each([
  [-5, '0 s'],
  [420, '0.4 s'],
  [9_990, '10 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
  [442_800_000, '5 d 3 h'],
])('formats %i ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
