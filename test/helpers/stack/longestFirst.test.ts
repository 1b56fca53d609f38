import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longest, longestShared } from './longestFirst.ts'

test('the files that start first exist, and each is named once', () => {
  const names = [...longest, ...longestShared]
  const root = join(import.meta.dirname, '../../..')
  expect(names.filter((name) => !existsSync(join(root, `${name}.test.ts`)))).toEqual([])
  expect(names).toHaveLength(new Set(names).size)
})
