import { expect, test } from 'vitest'
import { formatCsvRow } from './formatCsv.ts'

test('quotes separators, quotes and line ends', () => {
  expect(formatCsvRow(['plain', 'a,b', 'say "x"', 'two\r\nlines', ''])).toBe(
    'plain,"a,b","say ""x""","two\r\nlines",\r\n',
  )
})

test.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '\r=1', '-', '=HYPERLINK("http://x","y")'])(
  'a spreadsheet does not run %j',
  (text) => {
    const row = formatCsvRow([text])
    expect(row.replace(/^"/, '').startsWith("'")).toBe(true)
  },
)

test('a number has its sign and all digits', () => {
  const digits = '115792089237316195423570985008687907853269984665640564039457.584007913129639935'
  expect(formatCsvRow(['-12', '-0.5', digits])).toBe(`-12,-0.5,${digits}\r\n`)
})
