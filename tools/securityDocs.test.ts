import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles } from './mutate/listFiles.ts'

const root = join(import.meta.dirname, '..')
const files = (await listFiles(root)).filter((file) => file.endsWith('.test.ts'))
const rows = readFileSync(join(root, 'docs/security.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!(Attack|Fault|-+) *\|)/.test(line))
  .map((line) => {
    const [attack = '', bound = '', tests = ''] = line.split(' | ').map((cell) => cell.replace(/^\||\|$/g, '').trim())
    return { attack, bound, tests: [...tests.matchAll(/`([\w./]+\.test\.ts)`: "([^"]+)"/g)] }
  })

test('the document has a row for each of many attacks', () => {
  expect(rows.length).toBeGreaterThan(40)
})

test.each(rows)('a test of one file has the words that the document quotes: $attack', ({ bound, tests }) => {
  expect(bound).not.toBe('')
  expect(tests.length).toBeGreaterThan(0)
  for (const [, name = '', title = ''] of tests) {
    const named = files.filter((file) => file === name || file.endsWith(`/${name}`))
    expect(named, name).toHaveLength(1)
    const isThere = readFileSync(join(root, named[0] ?? ''), 'utf8').includes(title)
    expect(isThere, `"${title}" is in ${name}`).toBe(true)
  }
})
