import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AlarmRule, alarmRules } from './alarmRules.ts'

const document = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')

/** Figure, limit and advice of each row of the table under "Alarms". */
const readRows = (): string[][] => {
  const section = document.split(/^## /m).find((text) => text.startsWith('Alarms\n')) ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  // header and separator rows
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

/** Read from the log, not from the status. */
const ofTheLog = ['share of `status` ≥ 500 among `request` lines', 'share of `cache` HIT among cacheable routes']
const rules: AlarmRule[] = Object.values(alarmRules)

test('the page has every alarm of docs/operations.md that the status contains, with the same limits', () => {
  const documented = readRows().map(([figure, when]) => ({ figure, when }))
  const known = rules.map(({ figure, when }) => ({ figure, when }))
  expect(known).toEqual(documented.filter(({ figure = '' }) => !ofTheLog.includes(figure)))
  expect(documented.map(({ figure }) => figure)).toEqual(expect.arrayContaining(ofTheLog))
})

test.each(rules)("advice for $figure is the beginning of the document's text", ({ figure, advice }) => {
  const [, , documented = ''] = readRows().find(([name]) => name === figure) ?? []
  expect(documented.slice(0, advice.length)).toBe(advice)
})
