import { expect, test } from 'vitest'
import { createTestFinder } from './createTestFinder.ts'

const sources = new Map([
  ['shared/a.ts', 'export const a = 1'],
  ['shared/b.ts', "import { a } from './a.ts'\nexport const b = a"],
  ['shared/a.test.ts', "import { a } from './a.ts'"],
  ['functions/c.test.ts', "import { b } from '#shared/b.ts'"],
  ['test/e2e/d.test.ts', "import { a } from '#shared/a.ts'"],
  ['functions/lone.ts', 'export const lone = 1'],
  ['functions/e.ts', "export { a } from '#shared/a.ts'"],
  ['shared/tables/g.ts', 'export const g = 1'],
  ['shared/tables/room/h.ts', 'export const h = 1'],
  ['shared/tables.test.ts', "const tables = join(import.meta.dirname, 'tables')"],
  ['tools/f.test.ts', "import { a } from '../functions/e.ts'"],
])
const findTests = createTestFinder(sources)

test('finds the tests that reach a source, the nearest first, without end-to-end tests', () => {
  expect(findTests('shared/a.ts')).toEqual(['shared/a.test.ts', 'functions/c.test.ts', 'tools/f.test.ts'])
})

test('finds the tests of the folder when no test reaches a source', () => {
  expect(findTests('functions/lone.ts')).toEqual(['functions/c.test.ts'])
})

test.each(['shared/tables/g.ts', 'shared/tables/room/h.ts'])('finds the tests that read a folder above %s', (path) => {
  expect(findTests(path)).toEqual(['shared/tables.test.ts'])
})
