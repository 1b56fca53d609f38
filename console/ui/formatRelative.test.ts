import { expect, test } from 'vitest'
import { formatRelative } from './formatRelative.ts'

test.each([
  [0, 'in 0 sec.'],
  [-1, '1 sec. ago'],
  [59, 'in 59 sec.'],
  [-119, '2 min. ago'],
  [3_599, 'in 60 min.'],
  [172_790, 'in 2 days'],
  [7_200, 'in 2 hr.'],
  [-86_400, '1 day ago'],
  [15_552_000, 'in 180 days'],
])('formats %i s from now as “%s”', (seconds, text) => {
  expect(formatRelative(seconds)).toBe(text)
})
