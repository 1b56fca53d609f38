import { expect, test } from 'vitest'
import { summarizePlot } from './summarizePlot.ts'

const data = {
  times: [1, 2, 3],
  formatTime: (time: number) => `0${time}:00`,
  formatValue: (value: number) => `${value} ms`,
  steps: [],
}

test('states the total and the maximum', () => {
  const series = [
    { label: 'Quotes', values: [3, 9, 1] },
    { label: 'Fills', values: [0, 0, 0] },
  ]
  expect(summarizePlot({ ...data, series }, 'count')).toBe('Quotes: 13 ms in all, at most 9 ms at 02:00. Fills: none.')
})

test('states the newest level and the highest', () => {
  const series = [
    { label: 'Quotes', values: [0, 9, null] },
    { label: 'Fills', values: [null, 9, 4] },
    { label: 'Submissions', values: [null, null, null] },
    { label: 'Lag', values: [0, 0, 0] },
  ]
  expect(summarizePlot({ ...data, series }, 'level')).toBe(
    'Quotes: 9 ms at 02:00, never more. Fills: 4 ms at 03:00, at most 9 ms at 02:00. Submissions: none. Lag: 0 ms at 03:00, never more.',
  )
})
