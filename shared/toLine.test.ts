import { expect, test } from 'vitest'
import { toLine } from './toLine.ts'

test.each([
  ['not\nenough\0 balance', 'not enough balance'],
  ['\u202Egnp.exe\u200B', 'gnp.exe'],
  ['half \ud83d', 'half \ufffd'],
  ['w'.repeat(1_000_000), 'w'.repeat(20)],
  ['', ''],
])('text of a third party is one short line: case %#', (text, line) => {
  expect(toLine(text, 20)).toBe(line)
})
