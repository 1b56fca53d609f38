import { expect, test } from 'vitest'
import { toReport } from './figure.ts'

test('builds a table with a verdict for each budget', () => {
  const { table, over } = toReport('a tick', [
    { name: 'CPU', value: 1234.5, unit: 'ms', budget: 1_000 },
    { name: 'heap', value: 99, unit: 'MiB', budget: 100 },
    { name: 'calls', value: 7, unit: '' },
  ])
  expect(table.split('\n')).toEqual([
    'a tick',
    '         measured    budget      verdict',
    '  CPU    1,234.5 ms  ≤ 1,000 ms  OVER',
    '  heap   99 MiB      ≤ 100 MiB   ok',
    '  calls  7',
  ])
  expect(over).toEqual(['a tick: CPU'])
})
