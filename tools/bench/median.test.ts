import { expect, test } from 'vitest'
import { median } from './median.ts'

test.each([
  [[3], 3],
  [[9, 1, 5], 5],
  [[4, 1, 3, 2], 2.5],
])('returns the median of %j as %d', (values, middle) => {
  expect(median(values)).toBe(middle)
})

test('rejects an empty list', () => {
  expect(() => median([])).toThrow('at least one value')
})
