import { expect, test } from 'vitest'
import { toPageReport } from './toPageReport.ts'

const good = { lcp: 412.4, cls: 0.001, findings: [] }

test('a page is a line, with the paint and the shift at each width', () => {
  const { table, over } = toPageReport([
    { page: 'trade', width: 360, measures: good },
    { page: 'trade', width: 1_440, measures: { ...good, lcp: 1_000, cls: 0.02 } },
  ])
  expect(table.split('\n').at(-1)?.trim()).toMatch(/^trade +412 \/ 0 +1000 \/ 0\.02 +0$/)
  expect(over).toEqual([])
})

test.each([
  [{ lcp: 1_001 }, 'order at 768: LCP 1001 ms, 1000 allowed'],
  [{ cls: 0.03 }, 'order at 768: CLS 0.03, 0.02 allowed'],
  [{ findings: ['requests https://example.com'] }, 'order at 768: requests https://example.com'],
])('%j is over budget', (change, line) => {
  expect(toPageReport([{ page: 'order', width: 768, measures: { ...good, ...change } }]).over).toEqual([line])
})
