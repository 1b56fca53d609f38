import { expect, test } from 'vitest'
import { buildSplits, countSteps, findTop, spanSteps } from './valueAxis.ts'

test.each([
  [0, countSteps, [0, 1]],
  [1, countSteps, [0, 1, 2]],
  [8, countSteps, [0, 2, 4, 6, 8, 10]],
  [69, countSteps, [0, 20, 40, 60, 80]],
  [981, countSteps, [0, 500, 1_000, 1_500]],
  [60, spanSteps, [0, 15, 30, 45, 60, 75]],
  [12_155, spanSteps, [0, 3_600, 7_200, 10_800, 14_400]],
  [5_000_000_000, countSteps, [0, 5_250_000_000]],
])('an axis for values up to %d has round steps', (max, steps, splits) => {
  expect(buildSplits(findTop(max, steps), steps)).toEqual(splits)
})
