import { expect, test } from 'vitest'
import { formatPercent, formatSpan } from './formatFigure.ts'

test.each([
  [0, '0 s'],
  [0.4, '0 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [250, '4 min 10 s'],
  [3_600, '1 h'],
  [7_290, '2 h 1 min'],
  [3_659, '1 h'],
  [200_000, '2 d 7 h'],
  [-3, '0 s'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatSpan(seconds)).toBe(text)
})

test('a share of zero is undefined', () => {
  expect(formatPercent(1, 3)).toBe('33.3 %')
  expect(formatPercent(0, 0)).toBe('–')
})
